import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startHouse } from '../house/house.ts'
import { makePipeline, makeTeam } from '../house/team.ts'

const exec = promisify(execFile)

const MODULES = join(import.meta.dirname, '../../node_modules')
const MOST_BYTES = 500_000

/** What a user writes against the generated types. A field that no run has must not compile. */
const CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const [, , baseUrl = '', token = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
const { data, error } = await client.GET('/v1/runs', { params: { query: { limit: 10 } } })
if (error) throw new Error(error.detail)
// @ts-expect-error no run has this field
data.map((run) => run.no_such_field)
// @ts-expect-error no run is asked for by this parameter
await client.GET('/v1/runs', { params: { query: { no_such_parameter: 1 } } }).catch(() => undefined)
const runs: readonly { readonly id: string; readonly pipeline: string }[] = data.map((run) => ({
  id: run.run_id,
  pipeline: run.pipeline,
}))
console.log(JSON.stringify(runs))
`

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    module: 'nodenext',
    target: 'esnext',
    types: ['node'],
    skipLibCheck: true,
  },
  include: ['*.ts'],
}

const house = await startHouse()
const folder = mkdtempSync(join(tmpdir(), 'signalbox-client-'))
const documentFile = join(folder, 'openapi.json')
let document: unknown

before(async () => {
  const response = await fetch(`${house.url}/v1/openapi.json`)
  document = await response.json()
  writeFileSync(documentFile, JSON.stringify(document))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  writeFileSync(join(folder, 'client.ts'), CLIENT)
  symlinkSync(MODULES, join(folder, 'node_modules'))
})

after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await house.stop()
})

/** Runs a program of a package; throws with all that it wrote where it fails. */
async function run(program: string, ...words: readonly string[]): Promise<string> {
  const done = exec(process.execPath, [join(MODULES, program), ...words], { cwd: folder, maxBuffer: 10_000_000 })
  const { stdout } = await done.catch((error: unknown) => {
    const said = typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : ''
    throw new Error(`${program}: ${said}`, { cause: error })
  })
  return stdout
}

describe('the API document of a running instance', () => {
  test('is small enough for a tool to read at once', () => {
    const bytes = Buffer.byteLength(JSON.stringify(document))
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes without spaces`)
  })

  test('is OpenAPI 3.1 by a validator that is not ours, which sees what is wrong', async () => {
    const validator = '@seriousme/openapi-schema-validator/bin/validate-api-cli.js'
    assert.deepEqual(JSON.parse(await run(validator, documentFile)), { valid: true })
    const broken = join(folder, 'broken.json')
    writeFileSync(broken, JSON.stringify({ ...Object(document), info: {} }))
    await assert.rejects(run(validator, broken), /"valid": false/)
  })

  test('becomes a client by a generator that is not ours; it compiles, and lists runs', async () => {
    const team = await makeTeam(house.api, 'acme')
    const steps = [{ name: 'build', tasks: [{ name: 'unit', run: 'true' }] }]
    const pipeline = await makePipeline(house.api, team, JSON.stringify({ name: 'build', steps }))
    const start = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    const started = await house.api.send<{ run_id: string }>('POST', start, { scope: team.scope })
    await run('openapi-typescript/bin/cli.js', documentFile, '--output', join(folder, 'api.ts'))
    await run('@typescript/native/bin/tsc', '--project', folder)
    const { stdout } = await exec(process.execPath, [join(folder, 'client.ts'), house.url, house.api.token])
    assert.deepEqual(JSON.parse(stdout), [{ id: started.run_id, pipeline }])
  })
})
