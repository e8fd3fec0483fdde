import { expect, test } from 'vitest'
import { lineOf, placeAt } from './places.ts'
import { readDocumentText } from './reading.ts'

const DOCUMENT = `name: web
variables: { STAGE: test }
secrets: { NPM_TOKEN: acme/npm }
steps:
  - name: build
    tasks:
      - { name: compile, run: make }
      - name: lint
        depends_on: [compile]
        run: make lint
  - name: test
    depends_on: [build]
    matrix: { node: ["22", "24"] }
    tasks:
      - { name: unit, run: make test }
`

test('a sound document has steps, variables and secrets, and no problem', () => {
  const { problems, steps, variables, secrets } = readDocumentText(DOCUMENT)
  expect(problems).toEqual([])
  expect(variables).toEqual({ STAGE: 'test' })
  expect(secrets).toEqual({ NPM_TOKEN: 'acme/npm' })
  expect(steps?.map(({ name, depends_on, tasks }) => [name, depends_on, tasks.length])).toEqual([
    ['build', [], 2],
    ['test', ['build'], 2],
  ])
})

test('a place is found by its line, and a line by its place', () => {
  const { places } = readDocumentText(DOCUMENT)
  expect(placeAt(places, 3)).toBeUndefined()
  expect(placeAt(places, 9)).toEqual({ step: 'build', task: 'lint', line: 8 })
  expect(lineOf(places, 'build')).toBe(5)
  expect(lineOf(places, 'build', 'compile')).toBe(7)
  expect(lineOf(places, 'test', 'unit-22')).toBe(15)
  expect(lineOf(places, 'test', 'other')).toBeUndefined()
})

test('a document with a problem keeps its places, and has the problem at its line', () => {
  const broken = readDocumentText(DOCUMENT.replace('depends_on: [build]', 'depends_on: [bild]'))
  expect(broken.problems.map(({ line, code }) => [line, code])).toEqual([[12, 'unknown_dependency']])
  expect(broken.steps).toBeUndefined()
  expect(broken.places).toHaveLength(5)
})

test('what is no YAML has no place', () => {
  const { problems, places } = readDocumentText('a: [')
  expect(problems).toHaveLength(1)
  expect(places).toEqual([])
})
