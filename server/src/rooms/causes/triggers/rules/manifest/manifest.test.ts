import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ManifestReading, readManifest } from './read-manifest.ts'
import { manifestJsonSchema } from './schema.ts'

const SAMPLE = `version: 1
triggers:
  - name: checks
    events: [push, pull_request]
    branches: [main, "release/**"]
    paths: ["src/**"]
    labels: ["!wip"]
    draft: exclude
    if: event.forced != true
    pipeline: acme/web/build
    scope: acme/web/staging
    variables: { BRANCH: "\${{ event.branch }}", COUNT: 3, EXACT: 1.10 }
    concurrency: { group: "checks-\${{ event.branch }}", on_conflict: cancel_running }
  - name: retest
    events: [pull_request_comment]
    commands: [/retest, /cancel]
    commenters: ["@members", mona]
    pipeline: acme/web/build
    scope: acme/web/staging
    enabled: false
`

function problemsOf(reading: ManifestReading): string[] {
  if (reading.ok) return []
  return reading.problems.map(({ line, column, directive, message }) => `${line}:${column} ${directive} ${message}`)
}

/** The sample with one line of the first trigger changed, or added before its pipeline. */
function changed(line: string): ManifestReading {
  const cut = SAMPLE.indexOf('  - name: retest')
  const known = new RegExp(`^    ${line.split(':')[0]}:.*$`, 'm')
  const first = SAMPLE.slice(0, cut).replace('  - name: checks\n', '  -\n    name: checks\n')
  const other = known.test(first)
    ? first.replace(known, () => `    ${line}`)
    : first.replace('    pipeline:', () => `    ${line}\n    pipeline:`)
  return readManifest(other.replace('  -\n    name:', '  - name:') + SAMPLE.slice(cut))
}

describe('a manifest', () => {
  test('is read with what it leaves out', () => {
    const reading = readManifest(SAMPLE)
    assert.deepEqual(problemsOf(reading), [])
    assert.ok(reading.ok)
    const [checks, retest] = reading.manifest.entries
    assert.deepEqual(checks, {
      name: 'checks',
      events: ['push', 'pull_request'],
      actions: [],
      branches: ['main', 'release/**'],
      tags: [],
      paths: ['src/**'],
      labels: ['!wip'],
      draft: 'exclude',
      commands: [],
      commenters: [],
      skipCi: true,
      reportComment: false,
      condition: 'event.forced != true',
      pipeline: 'acme/web/build',
      scope: 'acme/web/staging',
      variables: { BRANCH: '${{ event.branch }}', COUNT: '3', EXACT: '1.10' },
      concurrency: { group: 'checks-${{ event.branch }}', onConflict: 'cancel_running' },
      enabled: true,
    })
    assert.deepEqual(
      [retest?.commands, retest?.commenters, retest?.enabled],
      [['/retest', '/cancel'], ['@members', 'mona'], false],
    )
  })

  test('without triggers is a manifest', () => {
    assert.deepEqual(readManifest('version: 1\ntriggers: []\n'), { ok: true, manifest: { entries: [] } })
  })

  const wrong: [string, string, RegExp][] = [
    ['a name that is none', 'name: Checks!', /^3:11 triggers\[0\]\.name .*write a name of lower-case/],
    [
      'an unknown kind of event',
      'events: [push, commit]',
      /^4:20 triggers\.checks\.events\[1\] .*write one of push, tag/,
    ],
    ['no list', 'branches: main', /^5:15 triggers\.checks\.branches .*write a list, such as \[main/],
    ['a pattern that cannot be read', 'branches: [main, "[a"]', /^5:22 triggers\.checks\.branches\.1 .*not closed/],
    ['exclusions only', 'paths: ["!docs/**"]', /^6:12 triggers\.checks\.paths .*put "\*\*" first/],
    ['a rule for drafts that is none', 'draft: never', /^8:12 triggers\.checks\.draft .*any, exclude, only/],
    ['an expression', 'if: event.forced = true', /^9:\d+ triggers\.checks\.if .*write ==/],
    [
      'a field that no event has',
      'if: true && event.brnch == "a"',
      /^9:17 triggers\.checks\.if .*did you mean `event\.branch`/,
    ],
    ['an unknown identifier', 'if: event.forced != branch', /^9:25 triggers\.checks\.if .*unknown/],
    ['an action', 'actions: [opened, synchronize]', /^10:23 triggers\.checks\.actions\.1 .*did you mean synchronized/],
    ['a pipeline without a team', 'pipeline: build', /^10:15 triggers\.checks\.pipeline .*such as acme\/web\/build/],
    ['a scope that is none', 'scope: [a]', /^11:12 triggers\.checks\.scope .*must be a text/],
    ['a variable', 'variables: { A: "${{ event. }}" }', /^12:21 triggers\.checks\.variables\.A /],
    ['a rule for groups', 'concurrency: { group: a, on_conflict: wait }', /on_conflict .*cancel_running, queue, skip/],
    ['a group', 'concurrency: { group: "${{ }", on_conflict: queue }', /concurrency\.group /],
    [
      'no comment to command',
      'commands: [/retest]',
      /triggers\.checks\.commands has no effect without pull_request_comment/,
    ],
    ['repositories', 'repositories: [acme/other]', /`repositories` cannot stand in a manifest: .*remove it/],
    ['a source', 'source_id: 1', /`source_id` cannot stand in a manifest/],
    ['a team', 'team_path: acme', /`team_path` cannot stand in a manifest/],
    ['an owner', 'owner: mona', /`owner` cannot stand in a manifest/],
    ['a word of other systems', 'on: push', /did you mean `events`/],
    ['a slip', 'branchs: [main]', /did you mean `branches`/],
  ]
  for (const [name, line, expected] of wrong) {
    test(`${name} is said with its place`, () => {
      const problems = problemsOf(changed(line))
      assert.ok(
        problems.some((problem) => expected.test(problem)),
        problems.join('\n') || 'no problem',
      )
    })
  }

  test('everything is said at once, in the order of the text', () => {
    const problems = problemsOf(
      readManifest(
        'version: 2\ntriggers:\n  - name: a\n    events: [pushes]\n    if: "("\n  - name: a\n    tags: [""]\n',
      ),
    )
    const places = problems.map((problem) => problem.split(' ')[0])
    assert.deepEqual(places, ['1:10', '3:5', '3:5', '4:14', '5:9', '6:5', '6:5', '6:5', '6:11', '7:12'])
  })

  test('a name may stand once', () => {
    const [problem] = problemsOf(readManifest(SAMPLE.replace('name: retest', 'name: checks')))
    assert.match(problem ?? '', /^14:11 triggers\.checks\.name there is a trigger `checks` in line 3 already/)
  })

  test('too much is refused, and soon', () => {
    const line = '  - { name: a, events: [push], pipeline: a/b, scope: a/b }\n'
    const many = `version: 1\ntriggers:\n${Array.from({ length: 101 }, (_, at) => line.replace('name: a', `name: a${at}`)).join('')}`
    assert.match(problemsOf(readManifest(many)).join(), /has 101 entries; at most 100/)
    assert.match(problemsOf(readManifest(`#${'x'.repeat(65_536)}`)).join(), /at most|the most/)
    assert.match(problemsOf(readManifest(`#${'ä'.repeat(40_000)}`)).join(), /at most/)
    const bomb = Array.from(
      { length: 9 },
      (_, at) => `a${at}: &a${at} [${Array(9).fill(at === 0 ? 'x' : `*a${at - 1}`)}]`,
    )
    assert.match(problemsOf(readManifest(bomb.join('\n'))).join(), /aliases are replaced/)
    assert.notDeepEqual(problemsOf(readManifest(`${'['.repeat(30_000)}`)), [])
  })

  test('what is no manifest at all', () => {
    for (const text of ['', '[]', 'a', 'version: 1', '\0', '---\n---\n', 'triggers: !!set {a}', '\ud800']) {
      assert.notDeepEqual(problemsOf(readManifest(text)), [], JSON.stringify(text))
    }
  })
})

test('the manifests of the page for users are sound', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../../../docs/manifest.md'), 'utf8')
  const shown = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => readManifest(text))
  assert.equal(shown.length, 2)
  for (const reading of shown) assert.deepEqual(problemsOf(reading), [])
})

const piece = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ': ',
    '- ',
    '\n',
    '&a ',
    '*a',
    '!!set ',
    '"',
    '|\n',
    '<<: ',
    '---\n',
    '#',
    '\0',
    '\t',
  ),
  fc.constantFrom(
    'name',
    'events',
    'if',
    'null',
    '1e999',
    '__proto__',
    'constructor',
    '${{',
    '}}',
    '@members',
    '/cancel',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

function assertAnswers(text: string): void {
  const reading = readManifest(text)
  if (reading.ok) {
    assert.equal(new Set(reading.manifest.entries.map(({ name }) => name)).size, reading.manifest.entries.length)
    return
  }
  assert.ok(reading.problems.length > 0)
  const lines = text.split(/\r\n|\r|\n/).length
  for (const { line, column, message, directive } of reading.problems) {
    assert.ok(line >= 1 && line <= lines + 1 && column >= 1 && message !== '', JSON.stringify(reading.problems))
    assert.ok(message.isWellFormed() && directive.isWellFormed())
  }
}

describe('no text makes it throw, and each refusal has problems with positions', () => {
  test('the sample with pieces put in and parts cut out', () => {
    const mutated = fc
      .array(fc.record({ at: fc.nat(SAMPLE.length), remove: fc.nat(12), piece }), { minLength: 1, maxLength: 6 })
      .map((changes) =>
        changes.reduce((text, { at, remove, piece: put }) => text.slice(0, at) + put + text.slice(at + remove), SAMPLE),
      )
    fc.assert(fc.property(mutated, assertAnswers), { numRuns: 400 })
    const pieces = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(fc.property(pieces, assertAnswers), { numRuns: 400 })
  })

  test('any value in any place', () => {
    const any = fc.jsonValue()
    const trigger = fc.record(
      {
        name: fc.oneof(fc.constantFrom('a', 'b'), any),
        events: fc.oneof(fc.array(fc.constantFrom('push', 'pull_request_comment')), any),
        branches: fc.oneof(fc.array(fc.string()), any),
        commands: fc.oneof(fc.array(fc.string()), any),
        commenters: any,
        if: fc.oneof(fc.string(), any),
        variables: any,
        concurrency: any,
        pipeline: fc.oneof(fc.constant('a/b'), any),
        scope: fc.oneof(fc.constant('a/b'), any),
      },
      { requiredKeys: [] },
    )
    const manifest = fc.record({ version: fc.oneof(fc.constant(1), any), triggers: fc.oneof(fc.array(trigger), any) })
    // JSON is YAML.
    fc.assert(
      fc.property(
        manifest.map((value) => JSON.stringify(value)),
        assertAnswers,
      ),
      { numRuns: 400 },
    )
  })
})

test('the JSON Schema is plain JSON that names every directive, with patterns that any validator can read', () => {
  const schema = manifestJsonSchema()
  assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema')
  const text = JSON.stringify(schema)
  for (const directive of ['labels', 'draft', 'commands', 'commenters', 'concurrency', 'on_conflict', 'if']) {
    assert.ok(text.includes(`"${directive}":`), directive)
  }
  assert.ok(!text.includes('~'))
  JSON.stringify(schema, (key, value) => {
    if (key === 'pattern') assert.doesNotThrow(() => new RegExp(value, 'u'), value)
    return value
  })
})
