import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { run } from '../run.ts'
import { answer, type Handler, refuse, startFakeApi } from '../testing/fake-api.ts'
import { aRun } from '../testing/run-samples.ts'
import { stage } from '../testing/stage.ts'
import { makeTestFolder } from '../testing/test-surroundings.ts'

const RUN = aRun({
  run_id: '01a1fc1f-ca69-7000-b9c9-fea95f691d0b',
  cause: 'event',
  branch: 'main',
  started_at: '2026-11-21T03:00:01.000Z',
  finished_at: '2026-11-21T03:00:03.500Z',
})

describe('lists', () => {
  const listOfRuns: Handler = (_request, response) => answer(response, 200, [RUN])

  test('are columns in a pipe, a table on a terminal, and whole as JSON', async () => {
    await using here = await stage(listOfRuns)
    const piped = await here.run(['run', 'list', '--branch', 'main'])
    assert.match(piped.out, /^01a1fc1f-ca69-7000-b9c9-fea95f691d0b\tacme\/build\tsuccess\tmain\t\t2\.5 s\t.* ago\t\n$/)
    assert.equal(here.api.seen[0]?.path, '/v1/runs?branch=main&limit=20')
    const shown = await here.run(['run', 'list'], { terminal: true, env: { NO_COLOR: '1' } })
    assert.match(shown.out, /^RUN +PIPELINE +STATUS/)
    const whole = await here.run(['run', 'list', '--json'])
    assert.deepEqual(JSON.parse(whole.out), [RUN])
  })

  test('do not obey what is in a name', async () => {
    await using here = await stage((_request, response) => answer(response, 200, [{ ...RUN, branch: 'a\u001b[2J\nb' }]))
    assert.match((await here.run(['run', 'list'])).out, /\ta\\u\{1b\}\[2J\\nb\t/)
  })
})

describe('errors', () => {
  const cases = [
    { status: 401, code: 3 },
    { status: 403, code: 3 },
    { status: 404, code: 4 },
    { status: 409, code: 6 },
    { status: 400, code: 2 },
    { status: 500, code: 1 },
  ]
  for (const { status, code } of cases) {
    test(`an answer of ${status} ends with ${code}`, async () => {
      await using here = await stage((_request, response) => refuse(response, status, 'some.code', 'What to do.'))
      const ended = await here.run(['team', 'create', 'acme'])
      assert.equal(ended.code, code)
      assert.equal(ended.out, '')
      assert.match(ended.err, /^error What to do\.\n(.*\n)*? {2}some\.code \(\d+, request r1\)\n$/)
    })
  }

  test('name the fields at fault, and are documents with --json', async () => {
    await using here = await stage((_request, response) =>
      refuse(response, 400, 'invalid_request', {
        detail: 'path is wrong.',
        errors: [{ field: 'path', message: 'has a space' }],
      }),
    )
    assert.match((await here.run(['team', 'create', 'a b'])).err, /\n {2}path: has a space\n/)
    const { err } = await here.run(['team', 'create', 'a b', '--json'])
    assert.match(err, /"code":"invalid_request"/)
  })

  test('do not say the same sentence twice', async () => {
    await using here = await stage((_request, response) =>
      refuse(response, 400, 'run.not_startable', {
        detail: 'There is no scope a/b.',
        errors: [{ field: 'scope', message: 'There is no scope a/b.' }],
      }),
    )
    const { err } = await here.run(['pipeline', 'run', 'a/build', '--scope', 'a/b'])
    assert.equal(err.match(/There is no scope/g)?.length, 1)
  })

  test('name the field that a control plane of another version leaves out, and both versions', async () => {
    const { steps: _, ...lacking } = aRun()
    const lacks = [
      [lacking, 'steps'],
      [{ ...aRun(), approvals: [{}] }, 'approvals.0.name'],
    ] as const
    for (const [answered, field] of lacks) {
      await using here = await stage(({ path }, response) =>
        answer(response, 200, path === '/v1/openapi.json' ? { info: { version: '9.8.7' } } : answered),
      )
      const { code, err } = await here.run(['run', 'show', 'r'])
      assert.equal(code, 1)
      assert.match(err, new RegExp(`the answer to GET /v1/runs/:id has no field ${field}\\.\n`))
      assert.match(
        err,
        /\n {2}The command has version \d\S+, the control plane 9\.8\.7: use the same version of both\.\n$/,
      )
    }
  })

  test('an error of the command itself is told as it is where the answers lack nothing', async () => {
    const error = new TypeError('a fault of the command')
    await using here = await stage((_request, response) => answer(response, 200, aRun()))
    const surroundings = {
      ...here.folder.surroundings({ env: { SIGNALBOX_URL: here.api.url, SIGNALBOX_TOKEN: 't' } }),
      out: { write: () => assert.fail(error), isTerminal: false, columns: 80 },
    }
    assert.equal(await run(['run', 'show', 'r'], surroundings), 1)
    assert.match(surroundings.text.err, /^error TypeError: a fault of the command\n/)
  })

  test('a wrong command line ends with 2 and says what there is', async () => {
    using folder = makeTestFolder()
    const unknown = await folder.run(['run', 'lst'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /unknown command 'lst'\n\(Did you mean list\?\)/)
    const missing = await folder.run(['run', 'show'])
    assert.equal(missing.code, 2)
    assert.match(missing.err, /missing required argument 'run'/)
    assert.equal((await folder.run(['run', 'list', '--limit', 'many'])).code, 2)
  })

  test('without a control plane says how to get one', async () => {
    using folder = makeTestFolder()
    const { code, err } = await folder.run(['run', 'list'])
    assert.equal(code, 5)
    assert.match(err, /signalbox up/)
  })
})

describe('pipelines', () => {
  const verdict = {
    valid: false,
    errors: [
      { code: 'unknown_secret', directive: 'secrets.A', line: 2, column: 15, message: 'there is no secret acme/none' },
      { code: 'missing_directive', directive: 'steps.test', line: 3, column: 5, message: '`run` is missing' },
    ],
    warnings: [{ code: 'unknown_scope', directive: 'steps.test.scope', line: 4, column: 9, message: 'not seen' }],
  }

  test('are validated with file, line, column and directive', async () => {
    await using here = await stage((_request, response) => answer(response, 200, verdict))
    writeFileSync(join(here.folder.path, 'build.yaml'), 'name: build\n')
    const { code, out } = await here.run(['pipeline', 'validate', 'build.yaml', '--team', 'acme'])
    assert.equal(code, 2)
    assert.deepEqual(out.split('\n'), [
      'build.yaml:2:15 secrets.A there is no secret acme/none',
      'build.yaml:3:5 steps.test `run` is missing',
      'build.yaml:4:9 steps.test.scope not seen (warning)',
      '',
    ])
    assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), { document: 'name: build\n', team_path: 'acme' })
  })

  test('are validated without a control plane too', async () => {
    using folder = makeTestFolder()
    const { code, out } = await folder.run(['pipeline', 'validate', '--offline', '-'], {
      stdin: 'name: build\nstep: []\n',
    })
    assert.equal(code, 2)
    assert.match(out, /^stdin:2:1 step unknown directive/m)
  })

  test('are made where they do not exist, replaced where they differ, and left alone where they do not', async () => {
    const saved = {
      id: 'p',
      identifier: 'acme/build',
      version: 2,
      profile: null,
      saved_by: 'ada',
      updated_at: RUN.queued_at,
    }
    await using here = await stage(({ method, path }, response) => {
      if (path.includes('validate')) answer(response, 200, { valid: true, errors: [], warnings: [] })
      else if (path.endsWith('other')) refuse(response, 404, 'not_found', 'No such pipeline.')
      else answer(response, 200, { ...saved, document: method === 'GET' ? 'name: build\n' : 'name: build\n#\n' })
    })
    const apply = async (stdin: string) => {
      const before = here.api.seen.length
      const { err } = await here.run(['pipeline', 'apply', '-t', 'acme', '-'], { stdin })
      const asked = here.api.seen.slice(before).filter(({ path }) => !path.includes('validate'))
      return [err.trim(), ...asked.map(({ method, path }) => `${method} ${path}`)]
    }
    const path = '/v1/pipelines/acme%2Fbuild'
    assert.deepEqual(await apply('name: build\n'), ['acme/build is unchanged, version 2.', `GET ${path}`])
    assert.deepEqual(await apply('name: build\n#\n'), ['acme/build is saved, version 2.', `GET ${path}`, `PUT ${path}`])
    assert.deepEqual((await apply('name: other\n')).slice(1), ['GET /v1/pipelines/acme%2Fother', 'POST /v1/pipelines'])
  })

  for (const [status, code] of [
    ['success', 0],
    ['failure', 10],
    ['timed_out', 11],
    ['canceled', 12],
  ] as const) {
    test(`run --wait ends with ${code} when the run ends in ${status}`, async () => {
      await using here = await stage(({ method, path }, response) => {
        const started = { run_id: RUN.run_id, status: 'queued', commit_sha: null, note: 'No repository.' }
        if (method === 'POST') answer(response, 202, started)
        else if (/events|stream/.test(path)) refuse(response, 404, 'not_found', 'No stream.')
        else answer(response, 200, { ...RUN, status })
      })
      const args = ['pipeline', 'run', 'acme/build', '--var', 'A=b=c', '--scope', 'acme/test', '--wait']
      const ended = await here.run(args)
      assert.equal(ended.code, code)
      assert.equal(ended.out, `${RUN.run_id}\n`)
      assert.match(ended.err, /^No repository\.$/m)
      assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { variables: { A: 'b=c' }, scope: 'acme/test' })
      assert.equal(here.api.seen[0]?.path, '/v1/pipelines/acme%2Fbuild/runs')
    })
  }
})

describe('secrets and tokens', () => {
  test('a secret is read from the standard input, less its last newline', async () => {
    await using here = await stage(({ method }, response) =>
      method === 'GET'
        ? answer(response, 200, [])
        : answer(response, 201, {
            id: 's',
            team_path: 'acme/web',
            name: 'npm',
            version: 1,
            versions: [{ version: 1 }],
          }),
    )
    const { code, out, err } = await here.run(['secret', 'set', 'acme/web/npm'], { stdin: 'pa ss\n' })
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(here.api.seen[1]?.body ?? ''), { team_path: 'acme/web', name: 'npm', value: 'pa ss' })
    assert.doesNotMatch(out + err, /pa ss/)
  })

  test('a new version says which are live, and which is refused from now on', async () => {
    const stored = (versions: readonly [number, string | null][]) => ({
      id: 's',
      team_path: 'acme',
      name: 'hook',
      version: versions[0]?.[0],
      versions: versions.map(([version, used]) => ({ version, created_at: RUN.queued_at, last_used_at: used })),
      updated_at: RUN.queued_at,
      last_used_at: null,
    })
    const used = new Date(Date.now() - 120_000).toISOString()
    await using here = await stage(({ method }, response) =>
      method === 'GET'
        ? answer(response, 200, [
            stored([
              [2, null],
              [1, used],
            ]),
          ])
        : answer(
            response,
            200,
            stored([
              [3, null],
              [1, used],
            ]),
          ),
    )
    const { err } = await here.run(['secret', 'set', 'acme/hook'], { stdin: 'third' })
    assert.deepEqual(err.trim().split('\n'), [
      'Secret acme/hook is stored, version 3.',
      'Versions 3 and 1 are live; either is accepted.',
      'Version 2 is refused from now on; never used.',
    ])
  })

  test('a fresh token is all that is printed', async () => {
    await using here = await stage((_request, response) => answer(response, 201, { id: 'i', token: 'sbxu_abc' }))
    assert.equal((await here.run(['token', 'create', 'ci'])).out, 'sbxu_abc\n')
  })

  test('login proves the token before it keeps it, and logout forgets it', async () => {
    await using here = await stage(({ headers }, response) => {
      if (headers.authorization === 'Bearer good') answer(response, 200, { capabilities: {} })
      else refuse(response, 401, 'unauthenticated', 'Who is that?')
    })
    const login = ['login', '--url', here.api.url, '--token-stdin']
    assert.equal((await here.run(login, { stdin: 'bad\n' })).code, 3)
    assert.equal((await here.run(login, { stdin: 'good\n' })).code, 0)
    const path = join(here.folder.path, '.config/signalbox/config.json')
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { url: here.api.url, token: 'good' })
    assert.match((await here.folder.run(['logout'])).err, /Removed/)
  })
})

describe('this machine', () => {
  test('config shows every option and hides secrets', async () => {
    using folder = makeTestFolder()
    const env = { PORT: '9000', DATABASE_URL: 'postgres://ada:hunter22@db/x', SECRET_KEY: '0'.repeat(64) }
    const { code, out } = await folder.run(['config', '--json'], { env })
    assert.equal(code, 0)
    assert.doesNotMatch(out, /hunter22|0{64}/)
    const settings: unknown = JSON.parse(out)
    assert.ok(Array.isArray(settings))
    const port: unknown = settings.find(
      (each: unknown) => typeof each === 'object' && each && 'name' in each && each.name === 'port',
    )
    assert.deepEqual(port, {
      name: 'port',
      value: 9000,
      origin: 'environment',
      default: 8080,
      secret: false,
      text: 'Port of the API; 0 takes a free one.',
    })
  })

  test('config names the key that is wrong, and where the right ones are', async () => {
    using folder = makeTestFolder()
    const { code, err } = await folder.run(['config'], { env: { LEASE_SECONDS: 'soon' } })
    assert.equal(code, 2)
    assert.match(err, /LEASE_SECONDS must be a whole number/)
    assert.match(err, /configuration\.md lists every key/)
    writeFileSync(join(folder.path, 'signalbox.yaml'), 'prot: 1\n')
    assert.equal((await folder.run(['config'])).err.match(/configuration\.md/g)?.length, 1)
  })

  test('config says so where no option has the name', async () => {
    using folder = makeTestFolder()
    const { code, err } = await folder.run(['config', 'prot'])
    assert.equal(code, 4)
    assert.match(err, /No option's name begins with "prot"/)
  })

  test('up in a place where no data folder can be made says so, and where else', async () => {
    using folder = makeTestFolder()
    writeFileSync(join(folder.path, 'file'), '')
    const { code, err } = await folder.run(['up', '--data-dir', 'file/x', '--port', '0', '--runner-port', '0'])
    assert.equal(code, 2)
    assert.match(
      err,
      /^error The data folder .*file\/x cannot be used: ENOTDIR.*\n {2}Start it in a folder of your own/,
    )
  })

  test('doctor fails with a remedy where the control plane does not answer', async () => {
    using folder = makeTestFolder()
    const gone = await startFakeApi(() => undefined)
    await gone[Symbol.asyncDispose]()
    const { code, out } = await folder.run(['doctor'], { env: { SIGNALBOX_URL: gone.url } })
    assert.equal(code, 7)
    assert.match(out, /ok {4}node {10}Node 24/)
    assert.match(out, /fail {2}control plane .*nothing listens there/)
    assert.match(out, /→ Is it started/)
    assert.match(out, /ok {4}data folder .*\.signalbox can be written/, 'that address is of this machine')
  })

  test('doctor looks at no data folder here where the control plane is on another machine, and there is none', async () => {
    using folder = makeTestFolder()
    const elsewhere = { SIGNALBOX_URL: 'http://signalbox.invalid:8080' }
    assert.doesNotMatch((await folder.run(['doctor'], { env: elsewhere })).out, /data folder/)
    mkdirSync(join(folder.path, '.signalbox'))
    assert.match((await folder.run(['doctor'], { env: elsewhere })).out, /data folder/)
  })

  test('doctor is content with a control plane that is', async () => {
    await using here = await stage(({ path }, response) => {
      if (path === '/healthz') answer(response, 200, { status: 'ready', checks: [] })
      else if (path === '/v1/setup/preflight') answer(response, 200, { ready: true, blockers: [] })
      else if (path === '/v1/auth/me') answer(response, 200, { capabilities: {} })
      else if (path === '/v1/auth/bootstrap') refuse(response, 403, 'forbidden', 'You are no administrator.')
      else answer(response, 200, [{ connected: true, enabled: true }])
    })
    const { code, out } = await here.run(['doctor'])
    assert.equal(code, 0)
    assert.doesNotMatch(out, /^(warn|fail)/m)
    assert.match(out, /1 of 1 are connected/)
  })
})
