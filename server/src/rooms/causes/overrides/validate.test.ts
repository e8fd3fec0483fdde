import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { OverrideFault } from '@signalbox/contracts/overrides'
import fc from 'fast-check'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { MAX_DOCUMENT_BYTES } from './rules/index.ts'
import { openOverrides, PIPELINE, SCOPE, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const clock = createTestClock()
const house = await openOverrides(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely
await anEnvironment(db, 'acme/other/staging')
await aPipeline(db, 'acme/other/build')
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers

interface Verdict {
  readonly valid: boolean
  readonly errors: readonly OverrideFault[]
  readonly warnings: readonly OverrideFault[]
}

const YAML = { 'content-type': 'application/yaml' }

async function validate(document: string | Buffer, headers: Readonly<Record<string, string>> = YAML): Promise<Verdict> {
  const { status, text } = await house.call('POST', '/v1/overrides/validate', document, { ...YAML, ...headers })
  assert.equal(status, 200, text)
  const verdict: Verdict = JSON.parse(text)
  assert.equal(verdict.valid, verdict.errors.length === 0)
  return verdict
}

const places = (faults: readonly OverrideFault[]) => faults.map(({ field, line, column }) => [field, line, column])

describe('a sound document', () => {
  const sound = [
    `pipeline: ${PIPELINE}\n`,
    `pipeline: ${PIPELINE}\nscope: ${SCOPE}\nexpires_at: 2027-01-01T00:00:00Z\nreason: a freeze\n`,
    `{"pipeline": "${PIPELINE}", "scope": "${SCOPE}", "expires_at": null, "reason": null}`,
    `# why\npipeline: &p ${PIPELINE}\nexpires_at: ~\nreason: *p\r\n`,
    `\ufeffpipeline: ${PIPELINE}\n`,
    `pipeline: ${PIPELINE}\nrepo_owner: acme\nexpired: false\nowner: { kind: user }\nupdated_at: x\n`,
  ]
  for (const document of sound) {
    test(JSON.stringify(document), async () => {
      assert.deepEqual(await validate(document), { valid: true, errors: [], warnings: [] })
    })
  }

  test('is one that a GET gives', async () => {
    const { body } = await house.call('PUT', '/v1/overrides/acme/widgets', { pipeline: PIPELINE })
    assert.equal((await validate(JSON.stringify(body))).valid, true)
  })

  test('asks for a token, and for nothing else', async () => {
    const path = '/v1/overrides/validate'
    const refused = await house.call('POST', path, `pipeline: ${PIPELINE}`, { ...YAML, authorization: '' })
    assert.equal(refused.status, 401)
    assert.equal((await validate(`pipeline: ${PIPELINE}`, viewer)).valid, true)
  })

  test('is read whatever its content type says', async () => {
    for (const type of ['text/yaml', 'application/json', 'text/plain; charset=latin1', 'application/octet-stream']) {
      assert.equal((await validate(`pipeline: ${PIPELINE}`, { 'content-type': type })).valid, true, type)
    }
  })
})

describe('a document that is refused', () => {
  const refused: [string, string, [string, number, number][]][] = [
    ['an empty body', '', [['', 1, 1]]],
    ['blank lines', '\n\n', [['', 1, 1]]],
    ['only a comment', '# nothing\n', [['', 1, 1]]],
    ['a list', '- pipeline\n', [['', 1, 1]]],
    ['a text', 'acme/web/build\n', [['', 1, 1]]],
    ['a number', '42', [['', 1, 1]]],
    ['a missing pipeline', `\nscope: ${SCOPE}\n`, [['pipeline', 2, 1]]],
    ['an empty pipeline', 'pipeline:\n', [['pipeline', 1, 10]]],
    ['a pipeline of another type', 'pipeline: [a]\n', [['pipeline', 1, 11]]],
    ['a pipeline that is a number', 'pipeline: 1\n', [['pipeline', 1, 11]]],
    ['a pipeline of another form', 'pipeline: build\n', [['pipeline', 1, 11]]],
    ['an unknown pipeline', '\npipeline: acme/web/none\n', [['pipeline', 2, 11]]],
    ['a pipeline of others', 'pipeline: acme/other/nope\n', [['pipeline', 1, 11]]],
    ['an unknown scope', `pipeline: ${PIPELINE}\nscope: acme/web/none\n`, [['scope', 2, 8]]],
    ['a scope of another form', `pipeline: ${PIPELINE}\nscope: staging\n`, [['scope', 2, 8]]],
    ['an empty scope', `pipeline: ${PIPELINE}\nscope:\n`, [['scope', 2, 7]]],
    ['an unknown field', `pipeline: ${PIPELINE}\nscop: ${SCOPE}\n`, [['scop', 2, 1]]],
    ['a field that stands twice', `pipeline: ${PIPELINE}\npipeline: ${PIPELINE}\n`, [['pipeline', 2, 1]]],
    ['an expiry in the past', `pipeline: ${PIPELINE}\nexpires_at: 2026-11-21T09:00:00Z\n`, [['expires_at', 2, 13]]],
    ['an expiry that is no time', `pipeline: ${PIPELINE}\nexpires_at: tomorrow\n`, [['expires_at', 2, 13]]],
    ['an expiry that is a number', `pipeline: ${PIPELINE}\nexpires_at: 1\n`, [['expires_at', 2, 13]]],
    ['a reason that is a map', `pipeline: ${PIPELINE}\nreason: { a: b }\n`, [['reason', 2, 9]]],
    ['a reason that is too long', `pipeline: ${PIPELINE}\nreason: ${'r'.repeat(1001)}\n`, [['reason', 2, 9]]],
    ['a tab', `pipeline: ${PIPELINE}\nscope:\n\tx: 1\n`, [['', 3, 1]]],
    ['a bracket that never closes', `pipeline: [${PIPELINE}\n`, [['', 2, 1]]],
    ['a second document', `pipeline: ${PIPELINE}\n---\npipeline: ${PIPELINE}\n`, [['', 2, 1]]],
    ['a tag', `pipeline: !!js/function ${PIPELINE}\n`, [['pipeline', 1, 25]]],
    ['a merge key', `pipeline: ${PIPELINE}\n<<: { scope: ${SCOPE} }\n`, [['<<', 2, 1]]],
    ['an alias to nothing', 'pipeline: *none\n', [['pipeline', 1, 11]]],
    ['a control character', `pipeline: ${PIPELINE}\u0007\n`, [['', 1, 11 + PIPELINE.length]]],
    ['a key that is a map', `pipeline: ${PIPELINE}\n? { a: b }\n: c\n`, [['', 2, 3]]],
  ]
  for (const [name, document, expected] of refused) {
    test(name, async () => {
      const { valid, errors } = await validate(document)
      assert.equal(valid, false)
      assert.deepEqual(places(errors), expected, JSON.stringify(errors))
    })
  }

  test('all that is wrong is said at once, in the order of the text', async () => {
    const document = 'reason: 1\nscope: acme/web/none\nexpires_at: never\nstage: x\npipeline: acme/web/none\n'
    assert.deepEqual(
      (await validate(document)).errors.map(({ field }) => field),
      ['reason', 'scope', 'expires_at', 'stage', 'pipeline'],
    )
  })

  test('a misspelt field is told what was meant', async () => {
    assert.match((await validate(`pipelin: ${PIPELINE}\n`)).errors[0]?.message ?? '', /did you mean `pipeline`/)
  })

  test('a scope that nobody can choose is asked for where the document begins', async () => {
    await aPipeline(db, 'acme/build')
    const { errors } = await validate('# none\npipeline: acme/build\n')
    assert.deepEqual(places(errors), [['scope', 2, 1]])
  })

  test('bytes that are no text', async () => {
    const { valid, errors } = await validate(Buffer.from([0x70, 0xff, 0xfe, 0x00]))
    assert.equal(valid, false)
    assert.deepEqual(places(errors), [['', 1, 1]])
  })

  test('an alias bomb and a deep nest cost no more than other documents', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
    for (let at = 1; at < 12; at += 1) {
      lines.push(
        `a${at}: &a${at} [${Array(9)
          .fill(`*a${at - 1}`)
          .join(', ')}]`,
      )
    }
    const bomb = await validate(lines.join('\n'))
    assert.equal(bomb.valid, false)
    assert.match(JSON.stringify(bomb.errors), /aliases/)
    assert.equal((await validate(`pipeline: ${'['.repeat(30_000)}`)).valid, false)
    assert.equal((await validate(`pipeline: ${'{a: '.repeat(10_000)}`)).valid, false)
  })

  for (const bytes of [MAX_DOCUMENT_BYTES + 1, 2 * 1024 * 1024]) {
    test(`${bytes} bytes are too many`, async () => {
      const { valid, errors } = await validate(`pipeline: ${PIPELINE}\n#${' '.repeat(bytes)}`)
      assert.equal(valid, false)
      assert.match(errors[0]?.message ?? '', /at most 65536 bytes/)
    })
  }
})

test('a body beyond the limit of all bodies is answered, and not by a reset connection', async () => {
  const port = await house.http.listen('127.0.0.1', 0)
  const response = await fetch(`http://127.0.0.1:${port}/v1/overrides/validate`, {
    method: 'POST',
    headers: { ...YAML, ...viewer },
    body: `pipeline: ${PIPELINE}\n#${' '.repeat(3 * 1024 * 1024)}`,
  })
  const verdict: Verdict = JSON.parse(await response.text())
  assert.deepEqual([response.status, verdict.valid, response.headers.get('connection')], [200, false, 'close'])
})

describe('warnings', () => {
  test('an expiry within the hour is sound, and remarked on', async () => {
    const { valid, warnings } = await validate(`pipeline: ${PIPELINE}\nexpires_at: 2026-11-21T09:10:00Z\n`)
    assert.deepEqual([valid, places(warnings)], [true, [['expires_at', 2, 13]]])
    assert.match(warnings[0]?.message ?? '', /10 min/)
  })

  test('rights that the caller lacks', async () => {
    const { valid, warnings } = await validate(`pipeline: ${PIPELINE}\nscope: ${SCOPE}\n`, viewer)
    assert.equal(valid, true)
    assert.deepEqual(
      warnings.map(({ field, line }) => [field, line]),
      [
        ['pipeline', 1],
        ['pipeline', 1],
        ['scope', 2],
      ],
    )
    assert.match(JSON.stringify(warnings), /override\.write on acme\/web/)
  })

  test('a scope of another team reads as one that is not there', async () => {
    const errorsOf = async (scope: string) => {
      const { valid, errors } = await validate(`pipeline: ${PIPELINE}\nscope: ${scope}\n`, viewer)
      assert.equal(valid, false)
      return JSON.stringify(errors).replaceAll(scope, 'SCOPE')
    }
    assert.equal(await errorsOf('acme/other/staging'), await errorsOf('acme/other/nothing'))
  })
})

const piece = fc.oneof(
  fc.constantFrom('{', '}', '[', ']', ': ', '- ', '\n', '\r\n', '&a ', '*a', '!!set ', '? ', '"', "'", '|\n', '---\n'),
  fc.constantFrom('%YAML 1.1\n', '<<: ', '#', '\t', '\0', '\ud800', '\u2028', '1e999', '0x1', '.nan', '~', '\ufeff'),
  fc.constantFrom('pipeline', 'scope', 'expires_at', 'reason', 'owner', '__proto__', 'constructor'),
  fc.constantFrom(PIPELINE, SCOPE, '2027-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2001-12-14t21:59:43.10-05:00'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

test('whatever is sent is answered with 200, and every position lies within the document', async () => {
  const documents = fc.oneof(
    fc.array(piece, { maxLength: 25 }).map((pieces) => Buffer.from(pieces.join(''))),
    fc
      .tuple(fc.constantFrom('pipeline', 'scope', 'expires_at', 'reason', 'x'), fc.anything({ maxDepth: 2 }))
      .map(([field, value]) => Buffer.from(`pipeline: ${PIPELINE}\n${field}: ${JSON.stringify(value) ?? ''}\n`)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  )
  const property = fc.asyncProperty(documents, async (document) => {
    const { errors, warnings } = await validate(document)
    const lines = document
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .split('\n')
    for (const { line, column, message, field } of [...errors, ...warnings]) {
      const told = `${field} ${line}:${column} ${message}`
      assert.ok(line >= 1 && line <= lines.length, told)
      assert.ok(column >= 1 && column <= (lines[line - 1] ?? '').length + 1, told)
      assert.ok(message.length > 0)
    }
  })
  await fc.assert(property, { numRuns: 400 })
})
