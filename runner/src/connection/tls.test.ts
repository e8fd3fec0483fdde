import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Result, runnerGatewayDefinition } from '@signalbox/contracts/runner'
import { createGrpcServer, type GrpcServer } from '../../../server/src/platform/grpc/index.ts'
import { systemClock } from '../../../server/src/platform/time/index.ts'
import type { RunnerOptions } from '../main.ts'
import { runRunner, StopButton } from '../main.ts'
import { makeAuthority, makeServerIdentity } from '../testing/certificates.ts'
import { TestGateway } from '../testing/gateway.ts'
import { temporaryFolder } from '../testing/runner-under-test.ts'

const folder = temporaryFolder()
const caFile = join(folder.path, 'ca.pem')
const otherCaFile = join(folder.path, 'other.pem')
const gateway = new TestGateway()
const services = [{ definition: runnerGatewayDefinition, implementation: gateway.implementation }]
let servers: GrpcServer[]
let port: number
let plainPort: number

before(async () => {
  const authority = await makeAuthority('Signalbox test authority')
  writeFileSync(caFile, authority.certificate)
  writeFileSync(otherCaFile, (await makeAuthority('Another authority')).certificate)
  const { certificateChain: chain, privateKey: key } = await makeServerIdentity(authority, 'localhost')
  const certificate = { current: () => ({ chain, key, notAfter: new Date() }), onChange: () => undefined }
  const secure = createGrpcServer(services, certificate, systemClock)
  const plain = createGrpcServer(services, undefined, systemClock)
  servers = [secure, plain]
  port = await secure.listen('127.0.0.1', 0)
  plainPort = await plain.listen('127.0.0.1', 0)
})
after(async () => {
  await Promise.all(servers.map((server) => server.close(0)))
  folder[Symbol.dispose]()
})

const log = { info: () => {}, warn: () => {} }
let count = 0
const start = (options: Omit<RunnerOptions, 'workDir'>, button = new StopButton()) =>
  runRunner({ ...options, workDir: join(folder.path, `work-${++count}`) }, { log, stops: button.source })

describe('a runner and the control plane over TLS', () => {
  test('enrol, connect and run a task where the authority is known', async () => {
    const button = new StopButton()
    const left = start({ url: `https://localhost:${port}`, caFile, token: gateway.token }, button)
    await Promise.race([gateway.connectedRunner(), left])
    gateway.assign({ fence: 1n, script: 'echo over TLS' })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(1n), ['over TLS'])
    button.press()
    await left
  })

  const refused = async (options: Omit<RunnerOptions, 'workDir'>, message: RegExp) => {
    await assert.rejects(start({ token: 'never spent', ...options }), { code: 'runner.tls_refused', message })
  }

  test('a certificate of an unknown authority is refused', async () => {
    const sentence = /^The certificate of the gateway at localhost:\d+ is not accepted \(unable to verify.*--ca-file/
    await Promise.all([
      refused({ url: `https://localhost:${port}`, caFile: otherCaFile }, sentence),
      refused({ url: `https://localhost:${port}` }, sentence),
    ])
  })

  test('a certificate for another name is refused', async () => {
    await refused({ url: `https://127.0.0.1:${port}`, caFile }, /is not accepted \(Hostname\/IP does not match.*--url/)
  })

  test('plain text to a port that serves TLS says so, and TLS to one that does not', async () => {
    await Promise.all([
      refused({ url: `127.0.0.1:${port}` }, /If it serves TLS, write --url https:\/\/127\.0\.0\.1:\d+\.$/),
      refused({ url: `https://localhost:${plainPort}`, caFile }, /does not speak TLS/),
    ])
  })

  test('a file of authorities that cannot be read is named', async () => {
    await assert.rejects(start({ url: `https://localhost:${port}`, caFile: join(folder.path, 'absent') }), {
      code: 'runner.ca_file_unreadable',
      message: /--ca-file cannot be read: ENOENT/,
    })
  })
})
