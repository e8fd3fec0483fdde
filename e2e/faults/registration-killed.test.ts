import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type GithubForge, startGithub } from '../forge/github/index.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { waitFor } from '../house/wait.ts'

const POINTS = ['git_apps.after_exchange', 'git_apps.after_answer', 'git_apps.before_commit'] as const

interface Started {
  readonly url: string
  readonly manifest: { readonly name: string }
}

/** The provider gives the key of an app once: killed after that, a new start has all of the app, or says what to do. */
describe('killed with SIGKILL while an app is registered', () => {
  const dataDir = makeDataDir()
  let forge: GithubForge
  let ports: { port: number; runnerPort: number }
  let house: House
  // A start that fails leaves nothing behind either.
  const ends = new AsyncDisposableStack()
  before(async () => {
    ends.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    forge = await startGithub()
    ends.defer(() => forge.close())
    await forge.addRepository('acme/shop', { branches: ['main'] })
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await start(0)
    ends.defer(() => house.stop())
    await house.api.send('POST', '/v1/teams', { path: 'acme' })
  })
  after(() => ends.disposeAsync())

  /** Where this file is, the house dies at the point that its life was given. */
  const armed = join(dataDir, 'armed')
  const start = (life: number): Promise<House> => {
    const point = POINTS[life]
    return startHouse({ dataDir, ports, env: point === undefined ? {} : { FAIL_POINT: `${point}@${armed}` } })
  }
  const registration = () => house.api.get<{ status: string; error: string | null }>('/v1/git-apps/github/registration')
  const untilItIs = (wanted: string) =>
    waitFor(`the registration to be ${wanted}`, registration, ({ status }) => status === wanted, 120_000)

  /** The control plane dies at the point of this life while the browser comes back, and is started again. */
  async function register(life: number): Promise<void> {
    const started = await house.api.send<Started>('POST', '/v1/git-apps/github/register/start', {
      organization: 'acme',
      base_url: forge.url,
      callback_url: house.url,
      team_path: 'acme',
      name: `Signalbox life ${life}`,
    })
    const back = await forge.confirmRegistration(started.url, started.manifest)
    writeFileSync(armed, '')
    await fetch(back, { redirect: 'manual' }).catch(() => undefined)
    assert.equal(await house.ended, 'SIGKILL', house.output())
    rmSync(armed)
    house = await start(life + 1)
  }

  test('before its answer is stored there is no app, and it can be begun again', async () => {
    await register(0)
    // After a minute it is told as interrupted.
    assert.match((await registration()).status, /^(asking|failed)$/)
    assert.deepEqual(await house.api.get('/v1/git-apps/github'), {})
  })

  for (const life of [1, 2]) {
    test(`at ${POINTS[life]}, the app is there after the next start, and its key proves it`, async () => {
      const calls = forge.calls.length
      await register(life)
      await untilItIs('registered')
      const app = await house.api.get<{ app_id: string; source_id: string }>('/v1/git-apps/github')
      assert.match(app.source_id, /^[0-9a-f-]{36}$/)
      const { steps } = await house.api.send<{ steps: { step: string; result: string }[] }>(
        'POST',
        '/v1/git-apps/github/doctor',
      )
      assert.deepEqual(
        steps.filter(({ step }) => step === 'key' || step === 'app').map(({ result }) => result),
        ['ok', 'ok'],
      )
      const exchanges = forge.calls.slice(calls).filter((call) => JSON.stringify(call).includes('/conversions'))
      assert.equal(exchanges.length, 1, 'the code was exchanged once')
      await house.api.ask('DELETE', '/v1/git-apps/github')
      await house.api.ask('DELETE', `/v1/git-webhook-sources/${app.source_id}`)
    })
  }
})
