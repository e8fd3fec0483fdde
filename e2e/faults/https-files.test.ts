import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeAuthority, makeServerIdentity } from '../../runner/src/testing/certificates.ts'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type Api, createApi } from '../house/api.ts'
import { ADMIN_TOKEN, makeDataDir } from '../house/house.ts'
import { startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { surroundings } from '../house/surroundings.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const SERVER = join(import.meta.dirname, '../../server/bin/signalbox-server.mjs')
const FILES = `
name: files
steps:
  - name: make
    tasks:
      - { name: give, run: "head -c 3000000 /dev/zero > big; echo over HTTPS > left.txt", artifacts: { name: left, paths: [big, left.txt] } }
  - name: use
    depends_on: [make]
    tasks:
      - { name: take, needs_artifacts: [make.give], run: "wc -c < big; cat left.txt" }
`

/** No list holds the authority: a runner knows it by `--ca-file` alone. */
describe('a control plane whose certificate a private authority signed', () => {
  const dataDir = makeDataDir()
  const authority = join(dataDir, 'authority.pem')
  const files = { TLS_CERTIFICATE_FILE: join(dataDir, 'api.crt'), TLS_KEY_FILE: join(dataDir, 'api.key') }
  let server: ChildProcess
  let api: Api
  let team: Team
  let runnerUrl: string

  before(async () => {
    const made = await makeAuthority('private')
    const identity = await makeServerIdentity(made, 'localhost')
    writeFileSync(authority, made.certificate)
    writeFileSync(files.TLS_CERTIFICATE_FILE, identity.certificateChain)
    writeFileSync(files.TLS_KEY_FILE, identity.privateKey, { mode: 0o600 })
    setDefaultCACertificates([...getCACertificates('default'), made.certificate])
    const [port, runnerPort] = [await freePort(), await freePort()]
    const url = `https://localhost:${port}`
    const env = { DATA_DIR: dataDir, BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN, BASE_URL: url, ...files }
    server = spawn(process.execPath, [SERVER], {
      cwd: dataDir,
      env: { ...surroundings, ...env, PORT: String(port), RUNNER_PORT: String(runnerPort) },
      stdio: 'ignore',
    })
    const isReady = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await waitFor('the server', isReady, Boolean)
    api = createApi(url, ADMIN_TOKEN)
    runnerUrl = `127.0.0.1:${runnerPort}`
    team = await makeTeam(api, 'acme')
  })
  after(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('takes the files of a runner that knows the authority, and gives them', async () => {
    const runner = await startRunner({ api, runnerUrl }, { flags: ['--ca-file', authority] })
    try {
      const pipeline = await makePipeline(api, team, FILES)
      const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
      const { run_id: runId } = await api.send<{ run_id: string }>('POST', path, { scope: team.scope })
      const run = await runEnd(api, runId)
      const lines = (await runLog(api, runId)).map(({ line }) => line)
      assert.equal(run.status, 'success', lines.join('\n'))
      assert.ok(lines.includes('3000000') && lines.includes('over HTTPS'), lines.join('\n'))
    } finally {
      await runner.stop()
    }
  })
})
