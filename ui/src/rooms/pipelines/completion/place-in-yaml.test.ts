import { expect, test } from 'vitest'
import { ITEM, type PlaceInYaml, placeInYaml } from './place-in-yaml.ts'

/** The place at the `|` of a text. */
function at(text: string): PlaceInYaml | undefined {
  const offset = text.indexOf('|')
  return placeInYaml(text.replace('|', ''), offset)
}

test.each<[string, PlaceInYaml['kind'], PlaceInYaml['path'], string]>([
  ['na|', 'key', [], 'na'],
  ['name: web\n|', 'key', [], ''],
  ['name: we|', 'value', ['name'], 'we'],
  ['steps:\n  - na|', 'key', ['steps', ITEM], 'na'],
  ['steps:\n- na|', 'key', ['steps', ITEM], 'na'],
  ['steps:\n  - name: build\n    |', 'key', ['steps', ITEM], ''],
  ['steps:\n  - name: build\n    tasks:\n      - name: a\n        ret|', 'key', ['steps', ITEM, 'tasks', ITEM], 'ret'],
  ['steps:\n  - name: a\n  - name: b\n    when: al|', 'value', ['steps', ITEM, 'when'], 'al'],
  ['steps:\n- name: a\n  tasks:\n  - run: x\n    ti|', 'key', ['steps', ITEM, 'tasks', ITEM], 'ti'],
  ['steps:\n  - tasks:\n      - { na|', 'key', ['steps', ITEM, 'tasks', ITEM], 'na'],
  ['steps:\n  - tasks:\n      - { name: a, retry: { att|', 'key', ['steps', ITEM, 'tasks', ITEM, 'retry'], 'att'],
  ['steps:\n  - depends_on: [build, li|', 'value', ['steps', ITEM, 'depends_on', ITEM], 'li'],
  ['checkout: { lfs: tr|', 'value', ['checkout', 'lfs'], 'tr'],
  ['concurrency:\n  gr|\nsteps: []', 'key', ['concurrency'], 'gr'],
])('%j', (text, kind, path, typed) => {
  expect(at(text)).toMatchObject({ kind, path, typed })
})

test('a script that looks like YAML does not mislead what stands below it', () => {
  const text = 'steps:\n  - name: a\n    tasks:\n      - run: |-\n          name: x\n        ret#'.replace('#', '')
  expect(placeInYaml(text, text.length)).toMatchObject({ kind: 'key', path: ['steps', ITEM, 'tasks', ITEM] })
})

test.each([
  ['in a script', 'steps:\n  - tasks:\n      - run: >\n          na'],
  ['in a comment', 'name: web # na'],
  ['in a quoted text', 'checkout: { a: "na'],
  ['below a value', 'name: web\n  na'],
])('nothing is offered %s', (_, text) => {
  expect(placeInYaml(text, text.length)).toBeUndefined()
})

test('the keys of the same map are known, those of others are not', () => {
  expect(at('name: a\n|\nsteps:\n  - profile: x\n')?.siblings).toEqual(['name', 'steps'])
  expect(at('steps:\n  - name: a\n    |\n    if: x\n  - when: y\n')?.siblings).toEqual(['name', 'if'])
  expect(at('steps:\n  - |\n    if: x\n')?.siblings).toEqual(['if'])
  expect(at('a: { x: 1, y: 2, |')?.siblings).toEqual(['x', 'y'])
})
