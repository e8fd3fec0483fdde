import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Nullable, pageQuery, Sentence } from '@signalbox/contracts/http'
import { routesOf } from '@signalbox/contracts/http/routes'
import { Type } from 'typebox'
import { openApiDocument } from './openapi.ts'
import { answer, type Route, withProblems } from './route.ts'
import { serve } from './serve.ts'

const Part = Type.Object({ name: Type.String({ description: 'A name that is long enough to be worth a reference.' }) })
const shapes = {
  Part,
  Whole: Type.Object({ part: Part, maybe: Type.Optional(Part), none: Nullable(Part), said: Sentence }),
  WholeParams: Type.Object({ id: Type.String() }),
  ListQuery: Type.Object({ ...pageQuery, name: Type.Optional(Type.String()) }),
}

const stated = routesOf<typeof shapes>()({
  listWholes: {
    tag: 'wholes',
    method: 'GET',
    path: '/v1/wholes',
    summary: 'List wholes',
    permission: 'run.read',
    query: 'ListQuery',
    answers: { 200: ['Whole'] },
  },
  replaceWhole: {
    tag: 'wholes',
    method: 'PUT',
    path: '/v1/wholes/:id',
    summary: 'Replace a whole',
    class: 'public',
    params: 'WholeParams',
    body: 'Whole',
    answers: { 204: 'empty' },
  },
})

const routes: Route[] = serve(stated, shapes, {
  listWholes: async () => answer(200, []),
  replaceWhole: async () => answer(204),
}).map((route) => withProblems(route, [{ table: { 'whole.in_use': { status: 409, title: 'In use' } } }]))

const info = { title: 'test', version: '1', description: '' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('the OpenAPI document', () => {
  const document = openApiDocument(info, routes)

  test('names operations and shapes as contracts do, and refers to a shape wherever it stands', () => {
    const text = JSON.stringify(document)
    const { paths, components } = JSON.parse(text)
    assert.deepEqual(paths['/v1/wholes'].get.operationId, 'listWholes')
    assert.deepEqual(paths['/v1/wholes'].get.responses[200].content['application/json'].schema.items, ref('Whole'))
    assert.deepEqual(components.schemas.Whole.properties.part, ref('Part'))
    assert.deepEqual(components.schemas.Whole.properties.maybe, ref('Part'))
    assert.deepEqual(components.schemas.Whole.properties.none.anyOf, [ref('Part'), { type: 'null' }])
    assert.equal(text.split('long enough').length, 2)
  })

  test('says once what any route may answer, and what a route and its room add to it', () => {
    const { paths, components, tags } = JSON.parse(JSON.stringify(document))
    const { responses } = paths['/v1/wholes/{id}'].put
    assert.deepEqual(Object.keys(responses), ['204', '404', '409', '413', '415', 'default'])
    assert.deepEqual(responses[409], { $ref: '#/components/responses/Problem' })
    assert.deepEqual(responses.default, { $ref: '#/components/responses/OfPublicRoute' })
    assert.deepEqual(tags, [{ name: 'wholes', 'x-problem-codes': ['whole.in_use'] }])
    assert.equal(components.schemas.Problem.properties.code.type, 'string')
    const { responses: read } = paths['/v1/wholes'].get
    assert.deepEqual(Object.keys(read), ['200', '404', 'default'])
    assert.deepEqual(read.default, { $ref: '#/components/responses/OfAnyRoute' })
    const { OfAnyRoute, OfPublicRoute } = components.responses
    assert.match(OfAnyRoute.description, /: 400, 401, 403, 413, 415, 429, 500, 503$/)
    assert.match(OfPublicRoute.description, /: 400, 413, 415, 500, 503$/)
    assert.deepEqual(OfAnyRoute.content, components.responses.Problem.content)
  })

  test('asks for a token or a session where the route is not public', () => {
    const { paths, security } = JSON.parse(JSON.stringify(document))
    assert.deepEqual(security, [{ bearer: [] }, { session: [] }])
    assert.equal(paths['/v1/wholes'].get.security, undefined)
    assert.deepEqual(paths['/v1/wholes/{id}'].put.security, [])
  })

  test('leaves out whose words a text is', () => {
    const { components } = JSON.parse(JSON.stringify(document))
    assert.deepEqual(components.schemas.Whole.properties.said, { type: 'string' })
  })

  test('writes the parameters of a page once', () => {
    const { paths, components } = JSON.parse(JSON.stringify(document))
    assert.deepEqual(paths['/v1/wholes'].get.parameters, [
      { $ref: '#/components/parameters/Limit' },
      { $ref: '#/components/parameters/Cursor' },
      { name: 'name', in: 'query', required: false, schema: { type: 'string' } },
    ])
    const { name, required, schema } = components.parameters.Limit
    assert.deepEqual([name, required, schema.maximum], ['limit', false, 500])
    assert.equal(components.parameters.Cursor.name, 'cursor')
  })

  test('leaves out what is no part of the public API', () => {
    const [first, ...rest] = routes
    assert.ok(first)
    const { paths } = JSON.parse(JSON.stringify(openApiDocument(info, [{ ...first, undocumented: true }, ...rest])))
    assert.deepEqual(Object.keys(paths), ['/v1/wholes/{id}'])
  })

  test('refuses two shapes of one name', () => {
    const other = routes.map((route) => ({ ...route, shapes: { ...shapes, Part: Type.Object({ id: Type.String() }) } }))
    assert.throws(() => openApiDocument(info, [...routes, ...other]), /two shapes Part/)
  })
})
