import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type House, postgresPid, startHouse } from '../e2e/house/house.ts'
import { makeTeam, type Team } from '../e2e/house/team.ts'
import { cpuSeconds, familyCpuSeconds } from './cpu.ts'

/** The product in processes of its own, a way into its database, and how much CPU each part has used. */
export interface HouseUnderTest extends AsyncDisposable {
  readonly house: House
  readonly port: number
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  cpu(): { readonly server: number; readonly postgres: number }
}

// Far above the reach of one machine: the benchmark does not measure the limit.
const NO_RATE_LIMIT = { per_minute: 1_000_000 }

/** Node flags for the control plane, such as `--cpu-prof --cpu-prof-dir=...`; the profile is written at its end. */
const SERVER_NODE_OPTIONS = process.env['BENCH_SERVER_NODE_OPTIONS']

/** Starts the product on a new data folder, which is removed with it. */
export async function openHouseUnderTest(): Promise<HouseUnderTest> {
  const house = await startHouse(SERVER_NODE_OPTIONS ? { env: { NODE_OPTIONS: SERVER_NODE_OPTIONS } } : {})
  const postgres = postgresPid(house.dataDir)
  const database = databaseOf(house.dataDir, 'signalbox', 2)
  return {
    house,
    port: Number(new URL(house.url).port),
    query: <Row>(text: string, values: readonly unknown[] = []) =>
      database.query<Row & pg.QueryResultRow>(text, [...values]).then(({ rows }) => rows),
    cpu: () => ({ server: cpuSeconds(house.pid), postgres: familyCpuSeconds(postgres) }),
    async [Symbol.asyncDispose]() {
      await database.end()
      await house.stop()
    },
  }
}

/** A team whose source takes deliveries as fast as they come. */
export async function makeUnlimitedTeam({ house }: HouseUnderTest, path: string): Promise<Team> {
  const team = await makeTeam(house.api, path)
  await house.api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, { rate_limit: NO_RATE_LIMIT })
  return team
}

/** Connections to a database of the embedded server of this data folder. */
export function databaseOf(dataDir: string, database: string, max: number): pg.Pool {
  return new pg.Pool({ host: socketOf(dataDir), user: 'signalbox', database, max })
}

/** The folder of the server's socket. */
export function socketOf(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[4]?.split(',')[0] ?? ''
}
