import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { createRepository, serveRepositories } from '../../testing/repositories.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'

/** A server that has no repository, and says so to nobody before it is told to. */
const serveSlowly = async () => {
  const refuse = (response: ServerResponse) => response.writeHead(404).end()
  const waiting: ServerResponse[] = []
  let answering = false
  const server = createServer((_, response) => {
    if (answering) refuse(response)
    else waiting.push(response)
    server.emit('asked')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/shop.git`,
    asked: once(server, 'asked'),
    answer: () => {
      answering = true
      waiting.forEach(refuse)
    },
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A git that notes, for each call, its account and whether the credential is in its environment. */
const gitThatTells = (folder: string, seen: string): Disposable => {
  const programs = join(folder, 'programs')
  const git = join(programs, 'git')
  mkdirSync(programs)
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const note = `echo "$(id -u) \${SIGNALBOX_GIT_PASSWORD:+credential}" >> '${seen}'`
  writeFileSync(git, `#!/bin/sh\n${note}\nexec '${real}' "$@"\n`)
  chmodSync(git, 0o755)
  const path = process.env['PATH'] ?? ''
  process.env['PATH'] = `${programs}:${path}`
  return {
    [Symbol.dispose]: () => {
      process.env['PATH'] = path
    },
  }
}

describe('a fetch with a credential', { skip: process.getuid?.() !== 0 }, () => {
  test('shows the credential to no task of the same run that looks at the processes of its account', async () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    using server = await serveSlowly()
    await using runner = await startRunner()
    const { gateway } = runner
    const gate = join(folder.path, 'open')
    const look = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c '^SIGNALBOX_GIT_PASSWORD=' || true`
    const script = `until [ -e ${gate} ]; do sleep 0.02; done; ${look}`
    gateway.assign({ fence: 1n, runId: 'one', script })
    const credential = { username: 'bot', password: 'only-for-git' }
    const checkout = { cloneUrl: server.url, ref: 'refs/heads/main', commitSha: 'a'.repeat(40), ...credential }
    gateway.assign({ fence: 2n, runId: 'one', script: 'true', checkout })
    await server.asked
    writeFileSync(gate, '')
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(1n), ['0'])
    server.answer()
    assert.match((await gateway.finished(2n)).reason, /^The fetch of http.* failed/)
  })

  test('leaves a clean workspace that belongs to the account of the task, but for the packs of the mirror', async () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    const { commits } = createRepository(folder.path)
    using server = await serveRepositories(folder.path, 'bot', 'only-for-git')
    await using runner = await startRunner()
    const { gateway } = runner
    const commitSha = commits[0] ?? ''
    const credential = { username: 'bot', password: 'only-for-git' }
    const checkout = { cloneUrl: `${server.url}/repository.git`, ref: 'refs/heads/main', commitSha, ...credential }
    const script =
      'find . ! -user "$(id -u)" | grep -v "^./.git/objects/pack/pack-" || true; git status --porcelain; git diff-index HEAD; cat number'
    gateway.assign({ fence: 1n, runId: 'one', script, checkout })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS, gateway.texts(1n).join('\n'))
    assert.deepEqual(gateway.texts(1n, 'stdout'), ['1'])
  })

  test('gives the credential to no git that runs as the account of the task, also while the files are written', async () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    const seen = join(folder.path, 'seen')
    writeFileSync(seen, '')
    chmodSync(seen, 0o666)
    using _ = gitThatTells(folder.path, seen)
    const { commits } = createRepository(folder.path)
    using server = await serveRepositories(folder.path, 'bot', 'only-for-git')
    await using runner = await startRunner()
    const { gateway } = runner
    const credential = { username: 'bot', password: 'only-for-git' }
    const commitSha = commits[0] ?? ''
    const checkout = { cloneUrl: `${server.url}/repository.git`, ref: 'refs/heads/main', commitSha, ...credential }
    gateway.assign({ fence: 1n, runId: 'one', script: 'id -u', checkout })
    assert.equal((await gateway.finished(1n)).reason, '')
    const [account = ''] = gateway.texts(1n, 'stdout')
    const calls = readFileSync(seen, 'utf8').trim().split('\n')
    const ofTask = calls.filter((call) => call.startsWith(`${account} `))
    assert.ok(ofTask.length > 0, calls.join('\n'))
    assert.deepEqual(
      ofTask.filter((call) => call.endsWith('credential')),
      [],
    )
    assert.ok(calls.some((call) => call.endsWith('credential')))
  })
})
