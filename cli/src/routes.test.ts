import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AnswerShape, Operation } from '@signalbox/contracts/http/routes'
import { SHAPES } from './client/answer-shapes.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { answer } from './testing/fake-api.ts'
import { OPERATIONS } from './testing/operations.ts'
import { ROUTES, type RoutePlan } from './testing/routes.ts'
import { asJson, sampleOf } from './testing/sample-answer.ts'
import { stage } from './testing/stage.ts'

interface Route {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly matches: RegExp
  readonly status: number
  /** Undefined for an answer without a body. */
  readonly sample: unknown
  readonly isPublic: boolean
}

const PLANS: ReadonlyMap<string, RoutePlan> = new Map(Object.entries(ROUTES))

const routes: readonly Route[] = Object.entries<Operation>(OPERATIONS)
  .map(([name, { method, path, answers, undocumented }]) => {
    const [[status, shape] = ['200', 'empty' as const]] = Object.entries(answers)
    return {
      name,
      method,
      path: path.replace(/:(\w+)/g, '{$1}'),
      matches: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/?]+')}(\\?|$)`),
      status: Number(status),
      sample: sampleOfAnswer(shape),
      isPublic: undocumented !== true,
    }
  })
  // `/v1/triggers/simulate` is no trigger: addresses without a parameter come first.
  .toSorted((left, right) => left.path.split('{').length - right.path.split('{').length)

function sampleOfAnswer(shape: AnswerShape): unknown {
  if (shape === 'empty' || shape === 'stream' || shape === 'text') return undefined
  return typeof shape === 'string' ? sampleOf(SHAPES[shape]) : [sampleOf(SHAPES[shape[0]])]
}

test('the routes that contracts state are those of the API document', () => {
  const text = readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8')
  const documented = Object.entries(asJson(asJson(JSON.parse(text))['paths'])).flatMap(([path, methods]) =>
    Object.keys(asJson(methods)).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const stated = routes.filter(({ isPublic }) => isPublic).map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(stated.sort(), documented.sort(), 'cli/src/testing/operations.ts names the routes of each room')
})

for (const { name } of routes) {
  const plan = PLANS.get(name)
  if (!plan || 'exempt' in plan) continue
  test(`${name} is reached by: signalbox ${plan.line.join(' ')}`, async () => {
    const answers = new Map(Object.entries(plan.answers ?? {}))
    const reached = new Set<string>()
    await using here = await stage((request, response) => {
      const found = routes.find(({ method, matches }) => method === request.method && matches.test(request.path))
      if (found === undefined) return answer(response, 404, {})
      reached.add(found.name)
      const own = answers.get(found.name)
      if (own === 404) return answer(response, 404, {})
      return answer(response, found.status, own ?? found.sample)
    })
    for (const [file, text] of Object.entries(plan.files ?? {})) writeFileSync(join(here.folder.path, file), text)
    const { code, err } = await here.run([...plan.line], { stdin: plan.stdin ?? '' })
    assert.ok(reached.has(name), `it reached ${[...reached].join(', ')}\n${err}`)
    assert.equal(code, plan.code ?? EXIT_CODES.success.code, err)
  })
}
