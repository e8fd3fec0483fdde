import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigWrong, describeSettings, readConfig, readSettings } from '#platform/config'
import { MasterKeyWrong } from '#platform/crypto'
import { DatabaseRefused, DataDirHeld, MigrationRefused, mayPass } from '#platform/database'
import { createLog } from '#platform/log'
import { giveBackWhenQuiet, processMemory } from '#platform/memory'
import { systemClock } from '#platform/time'
import { writeAddressFile } from './address-file.ts'
import { BackupRefused } from './backup/refused.ts'
import { runUntilStopped, StartFailed } from './lifetime.ts'
import { ObjectPlaceWrong } from './object-place.ts'

/** Errors of the operator, told in one line; everything else is ours and shows its stack. */
const EXPECTED = [
  BackupRefused,
  ConfigWrong,
  MasterKeyWrong,
  DataDirHeld,
  DatabaseRefused,
  MigrationRefused,
  StartFailed,
  ObjectPlaceWrong,
]

async function main(): Promise<void> {
  const config = readConfig({ env: process.env, cwd: process.cwd(), isTerminal: process.stderr.isTTY === true })
  const log = createLog({ level: config.logLevel, pretty: config.logPretty })
  const { layGround } = await import('./ground.ts')
  const { openHouse } = await import('./house.ts')
  const { openCertificates } = await import('./certificates.ts')
  const certificates = openCertificates(config, systemClock, log)
  await runUntilStopped(log, async () => {
    const ground = await layGround(config, log)
    try {
      const house = await openHouse(ground, certificates)
      const addresses = await house.start().catch(async (error: unknown) => {
        await house.stop()
        throw error
      })
      const addressFile = writeAddressFile(config.dataDir, addresses)
      log.info({ ...addresses, bootstrapTokenFile: house.bootstrapTokenPath }, 'signalbox is up')
      const quiet = giveBackWhenQuiet(systemClock, processMemory())
      return {
        async stop() {
          quiet.cancel()
          addressFile.remove()
          await house.stop()
          await ground.close()
        },
      }
    } catch (error) {
      await ground.close()
      throw error
    }
  })
  process.exit(0)
}

function version(): string {
  const document: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  return typeof document === 'object' && document && 'version' in document ? String(document.version) : 'unknown'
}

/** For `signalbox config`: every option with its value and origin as JSON, secrets hidden; a wrong one ends it. */
async function printConfig(): Promise<void> {
  const sources = { env: process.env, cwd: process.cwd(), isTerminal: false }
  readConfig(sources)
  process.stdout.write(`${JSON.stringify(describeSettings(readSettings(sources)))}\n`)
}

/** For `signalbox doctor`: what a start would stand on, as JSON. */
async function printInspected(): Promise<void> {
  const { inspectGround } = await import('./inspect.ts')
  const config = readConfig({ env: process.env, cwd: process.cwd(), isTerminal: false })
  process.stdout.write(`${JSON.stringify(await inspectGround(config))}\n`)
}

/** For `signalbox backup`, `restore` and `migrate-to`: what was done, as JSON. */
async function workOnBackups(): Promise<void> {
  const { runBackupCommand } = await import('./backup/command.ts')
  const config = readConfig({ env: process.env, cwd: process.cwd(), isTerminal: process.stderr.isTTY === true })
  const log = createLog({ level: 'warn', pretty: config.logPretty })
  const summary = await runBackupCommand(config, log, { args: process.argv.slice(2), version: version() })
  process.stdout.write(`${JSON.stringify(summary)}\n`)
}

function choose(): () => Promise<void> {
  if (process.argv.includes('--print-config')) return printConfig
  if (process.argv.includes('--inspect-ground')) return printInspected
  return /^--(backup|restore|move-database)/.test(process.argv[2] ?? '') ? workOnBackups : main
}

if (process.argv.includes('--version')) process.stdout.write(`${version()}\n`)
else {
  const work = choose()
  work().catch((error: unknown) => {
    const expected = EXPECTED.some((type) => error instanceof type)
    process.stderr.write(
      `signalbox: ${error instanceof Error ? (expected ? error.message : error.stack) : String(error)}\n`,
    )
    // 2: starting again helps only after somebody did something.
    process.exit(expected && !(error instanceof DatabaseRefused && mayPass(error)) ? 2 : 1)
  })
}
