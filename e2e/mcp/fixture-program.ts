import { openCertificates } from '../../server/src/certificates.ts'
import { layGround } from '../../server/src/ground.ts'
import { type House, openHouse } from '../../server/src/house.ts'
import { runUntilStopped } from '../../server/src/lifetime.ts'
import { readConfig } from '../../server/src/platform/config/index.ts'
import { createLog } from '../../server/src/platform/log/index.ts'
import { systemClock } from '../../server/src/platform/time/index.ts'
import { fixtureServer } from './fixture-server.ts'

// The control plane with the fixtures of the conformance sets. No configuration of the product opens them: a program does.

const config = readConfig({ env: process.env, cwd: process.cwd(), isTerminal: false })
const log = createLog({ level: config.logLevel, pretty: false })
await runUntilStopped(log, async () => {
  const ground = await layGround(config, log)
  const opened: { house?: House } = {}
  const mcpServerType = fixtureServer(() => changeGrants(opened.house))
  const house = await openHouse(ground, openCertificates(config, systemClock, log), { mcpServerType })
  opened.house = house
  await house.start()
  return {
    async stop() {
      await house.stop()
      await ground.close()
    },
  }
})
process.exit(0)

/** A real change of rights: whoever listens to the list of tools is told of it. */
async function changeGrants(house: House | undefined): Promise<void> {
  const name = `made-${process.hrtime.bigint()}`
  const account = await post(house, '/v1/service-accounts', { team_path: 'acme', name })
  const subject = { kind: 'service_account', id: Object(account).id }
  await post(house, '/v1/grants', { subject, role: 'viewer', team_path: 'acme' })
}

async function post(house: House | undefined, url: string, payload: object): Promise<unknown> {
  if (!house) throw new Error('there is no house')
  const headers = { authorization: `Bearer ${process.env['BOOTSTRAP_ADMIN_TOKEN'] ?? ''}` }
  const answer = await house.http.app.inject({ method: 'POST', url, headers, payload })
  if (answer.statusCode !== 201) throw new Error(`${url}: ${answer.body}`)
  return answer.json()
}
