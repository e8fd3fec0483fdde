import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeCertificate } from '../../server/src/platform/tls/testing.ts'
import { ADMIN_TOKEN, makeDataDir } from '../house/house.ts'
import { surroundings } from '../house/surroundings.ts'
import { waitFor } from '../house/wait.ts'

const SERVER = join(import.meta.dirname, '../../server/bin/signalbox-server.mjs')
const SIGNALBOX = join(import.meta.dirname, '../../cli/bin/signalbox.mjs')

describe('a control plane that speaks HTTPS', () => {
  const dataDir = makeDataDir()
  const authority = join(dataDir, 'api.crt')
  const tls = { TLS_CERTIFICATE_FILE: authority, TLS_KEY_FILE: join(dataDir, 'api.key') }
  const env = { ...surroundings, ...tls, HOME: dataDir, DATA_DIR: dataDir, BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN }
  let server: ChildProcess
  let url: string

  before(async () => {
    const made = await makeCertificate('localhost', [1, 5])
    writeFileSync(tls.TLS_KEY_FILE, made.key, { mode: 0o600 })
    writeFileSync(authority, made.certificate)
    server = spawn(process.execPath, [SERVER], {
      cwd: dataDir,
      env: { ...env, PORT: '0', RUNNER_PORT: '0' },
      stdio: 'ignore',
    })
    const address = join(dataDir, 'address.json')
    await waitFor('the server', async () => existsSync(address) && readFileSync(address, 'utf8') !== '', Boolean)
    url = JSON.parse(readFileSync(address, 'utf8')).url
  })
  after(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  })

  const signalbox = (args: readonly string[], more: Readonly<Record<string, string>>) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const told = { ...env, SIGNALBOX_URL: url, SIGNALBOX_TOKEN: ADMIN_TOKEN, ...more }
      const child = execFile(process.execPath, [SIGNALBOX, ...args], { cwd: dataDir, env: told }, (_error, out, err) =>
        resolve({ code: child.exitCode ?? -1, text: out + err }),
      )
    })

  test('is spoken to by the command line, where its authority is known', async () => {
    assert.match(url, /^https:/)
    const made = await signalbox(['team', 'create', 'acme'], { SIGNALBOX_CA_FILE: authority })
    assert.equal(made.code, 0, made.text)
    const byNode = await signalbox(['team', 'list'], { NODE_EXTRA_CA_CERTS: authority })
    assert.match(byNode.text, /acme/)
    const unknown = await signalbox(['team', 'list'], {})
    assert.notEqual(unknown.code, 0)
    assert.match(unknown.text, /certificate/i)
  })

  test('doctor warns of the end of its certificate, and names new files that do not fit', async () => {
    const { text } = await signalbox(['doctor'], { SIGNALBOX_CA_FILE: authority })
    assert.match(text, /warn {2}certificate +The certificate of https:\S+ is good until/)
    writeFileSync(tls.TLS_KEY_FILE, (await makeCertificate('other')).key)
    const wrong = await signalbox(['doctor'], { SIGNALBOX_CA_FILE: authority, SIGNALBOX_URL: '' })
    assert.match(wrong.text, /fail {2}certificate +\S+api\.key does not belong to/)
    assert.match(wrong.text, /is ready/, 'the old pair is served')
  })

  test('answers plain HTTP with the reason', async () => {
    const plain = await fetch(url.replace('https:', 'http:'))
    assert.equal(plain.status, 400)
    assert.match(await plain.text(), /https:/)
  })
})
