import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { routesOf } from '@signalbox/contracts/http/routes'
import { Type } from 'typebox'
import { createTestHttp, testAuthenticator } from '#platform/testing'
import { answer } from './route.ts'
import { serve } from './serve.ts'

const strict = { additionalProperties: false } as const
const name = Type.String({ pattern: '^[a-z]+$', minLength: 1, maxLength: 5, description: 'Lower-case letters.' })
const body = Type.Object(
  {
    name,
    plain: Type.String({ pattern: '^[a-z]+$' }),
    id: Type.String({ format: 'uuid' }),
    until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    list: Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true }),
    mode: Type.Enum(['a', 'b']),
    either: Type.Union([Type.Literal('x'), Type.Literal('y')]),
    group: Type.Union([Type.Object({ name }, strict), Type.Null()]),
    count: Type.Integer({ minimum: 1 }),
  },
  strict,
)
const shapes = { NewThing: Type.Object(Type.Partial(body).properties, strict) }
const stated = routesOf<typeof shapes>()({
  createThing: {
    method: 'POST',
    path: '/v1/things',
    summary: 'Make a thing',
    tag: 'test',
    class: 'public',
    body: 'NewThing',
    answers: { 204: 'empty' },
  },
})
const routes = serve(stated, shapes, { createThing: async () => answer(204) })
const http = await createTestHttp(routes, testAuthenticator({}))
after(() => http.close(1000))

async function errorsOf(payload: object): Promise<unknown> {
  const response = await http.app.inject({ method: 'POST', url: '/v1/things', payload })
  return response.statusCode === 204 ? [] : response.json().errors
}

describe('what is wrong with a request', () => {
  const cases: [object, string, string][] = [
    [{ name: 'NO' }, 'name', 'is not of the right form: Lower-case letters'],
    [{ plain: 'NO' }, 'plain', 'must match pattern "^[a-z]+$"'],
    [{ name: '' }, 'name', 'must not be empty'],
    [{ name: 'abcdef' }, 'name', 'must have at most 5 characters'],
    [{ id: 'seven' }, 'id', 'must be a UUID'],
    [{ until: 'tomorrow' }, 'until', 'must be a time with its offset, such as 2027-01-31T12:00:00Z'],
    [{ until: 7 }, 'until', 'must be string'],
    [{ list: [] }, 'list', 'must not be empty'],
    [{ list: ['a', 'b', 'c'] }, 'list', 'must hold at most 2'],
    [{ list: ['a', 'a'] }, 'list', 'must not hold the same twice'],
    [{ mode: 'c' }, 'mode', 'must be one of ["a","b"]'],
    [{ either: 'z' }, 'either', 'must be one of ["x","y"]'],
    [{ group: {} }, 'group.name', 'is required'],
    [{ group: { name: 'a', colour: 'red' } }, 'group.colour', 'is not a known field: leave it out'],
    [{ group: 'a' }, 'group', 'must be object'],
    [{ count: 0 }, 'count', 'must be >= 1'],
    [{ 'a/b~': 1 }, 'a/b~', 'is not a known field: leave it out'],
  ]
  for (const [payload, field, message] of cases) {
    test(`${JSON.stringify(payload)}: ${field} ${message}`, async () => {
      assert.deepEqual(await errorsOf(payload), [{ field, message }])
    })
  }

  test('is said of every field, and of null nothing where it is right', async () => {
    assert.deepEqual(await errorsOf({ until: null, group: null }), [])
    assert.deepEqual(await errorsOf({ count: 0, id: 'x' }), [
      { field: 'id', message: 'must be a UUID' },
      { field: 'count', message: 'must be >= 1' },
    ])
  })
})
