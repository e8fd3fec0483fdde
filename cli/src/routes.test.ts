import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EXIT_CODES } from './exit-codes.ts'
import { answer } from './testing/fake-api.ts'
import { ROUTES } from './testing/routes.ts'
import { asJson, sampleOf } from './testing/sample-answer.ts'
import { stage } from './testing/stage.ts'

interface Operation {
  /** Such as `GET /v1/users/{id}`. */
  readonly route: string
  readonly method: string
  readonly path: RegExp
  readonly status: number
  /** Undefined for an answer without a body. */
  readonly sample: unknown
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const operations: readonly Operation[] = Object.entries(asJson(readDocument()['paths']))
  .flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = asJson(methods)[method]
      return operation === undefined ? [] : [describe(method.toUpperCase(), path, operation)]
    }),
  )
  // `/v1/triggers/simulate` is no trigger: addresses without a parameter come first.
  .toSorted((left, right) => left.route.split('{').length - right.route.split('{').length)

function readDocument() {
  const text = readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8')
  return asJson(JSON.parse(text))
}

function describe(method: string, path: string, operation: unknown): Operation {
  const responses = Object.entries(asJson(asJson(operation)['responses']))
  const [status, response] = responses.find(([code]) => code.startsWith('2')) ?? ['200', {}]
  const schema = asJson(asJson(asJson(response)['content'])['application/json'])['schema']
  return {
    route: `${method} ${path}`,
    method,
    path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]*\}/g, '[^/?]+')}(\\?|$)`),
    status: Number(status),
    sample: schema === undefined ? undefined : sampleOf(schema),
  }
}

test('every route of the API is reached by a command, or exempt with a reason', () => {
  assert.deepEqual(
    Object.keys(ROUTES).sort(),
    operations.map(({ route }) => route).sort(),
    'cli/src/testing/routes.ts names the command of each route',
  )
})

for (const { route } of operations) {
  const plan = ROUTES[route]
  if (!plan || 'exempt' in plan) continue
  test(`${route} is reached by: signalbox ${plan.line.join(' ')}`, async () => {
    const reached = new Set<string>()
    await using here = await stage((request, response) => {
      const found = operations.find((each) => each.method === request.method && each.path.test(request.path))
      if (found === undefined) return answer(response, 404, {})
      reached.add(found.route)
      const { [found.route]: own } = plan.answers ?? {}
      if (own === 404) return answer(response, 404, {})
      return answer(response, found.status, own ?? found.sample)
    })
    for (const [name, text] of Object.entries(plan.files ?? {})) writeFileSync(join(here.folder.path, name), text)
    const { code, err } = await here.run([...plan.line], { stdin: plan.stdin ?? '' })
    assert.ok(reached.has(route), `it reached ${[...reached].join(', ')}\n${err}`)
    assert.equal(code, plan.code ?? EXIT_CODES.success.code, err)
  })
}
