import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'

// Every snippet goes through the real oxlint, all in one run: a tree of files, each with the sentence it must earn.

const root = resolve(import.meta.dirname, '../..')
const binary = join(root, 'node_modules/.bin/oxlint')

interface Case {
  readonly name: string
  readonly file: string
  readonly code: string
  /** Part of the sentence that must be printed for this file; without it the file must be clean. */
  readonly says?: RegExp
}

const room = (path: string) => `server/src/rooms/${path}`
const platform = (path: string) => `server/src/platform/${path}`
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `export const a${index} = ${index}`).join('\n')

const CASES: readonly Case[] = [
  // The page
  {
    name: 'page: a shape by value',
    file: 'ui/src/rooms/runs/a.ts',
    code: `import { RunQuery } from '@signalbox/contracts/runs'\nexport const a = RunQuery`,
    says: /brings the schema library into the page/,
  },
  {
    name: 'page: a shape as a type, and routes by value',
    file: 'ui/src/rooms/runs/b.ts',
    code: `import type { RunQuery } from '@signalbox/contracts/runs'\nimport { runRoutes } from '@signalbox/contracts/runs/routes'\nexport const b: [typeof runRoutes, RunQuery?] = [runRoutes]`,
  },
  {
    name: 'page: a component imports the shell',
    file: 'ui/src/components/c.ts',
    code: `import { x } from '../shell/index.ts'\nexport const c = x`,
    says: /components lies below shell/,
  },
  {
    name: 'page: the inside of another room',
    file: 'ui/src/rooms/runs/d.ts',
    code: `import { x } from '../logs/log-view.tsx'\nexport const d = x`,
    says: /enter the room logs by its door/,
  },
  {
    name: 'page: the door of another room',
    file: 'ui/src/rooms/runs/e.ts',
    code: `import { x } from '../logs/index.ts'\nexport const e = x`,
  },
  // 1. platform -> rooms or adapters
  {
    name: '1: the platform imports a room',
    file: platform('http/a.ts'),
    code: `import '#rooms/foundation/teams'`,
    says: /the platform knows no product word/,
  },
  {
    name: '1: the platform imports an adapter',
    file: platform('http/b.ts'),
    code: `import '../../adapters/forges/index.ts'`,
    says: /the platform knows no product word/,
  },
  {
    name: '1: the platform imports the platform',
    file: platform('http/c.ts'),
    code: `import { x } from '#platform/log'\nexport const y = x`,
  },
  {
    name: '1: the platform passes by a door of its own',
    file: platform('http/d.ts'),
    code: `import { x } from '../log/sink.ts'\nexport const y = x`,
    says: /by its door, #platform\/log/,
  },
  // 2. adapters -> rooms or database; a room -> an adapter by value
  {
    name: '2: an adapter imports a room',
    file: 'server/src/adapters/mail/a.ts',
    code: `import type { T } from '#rooms/foundation/teams'\nexport type U = T`,
    says: /an adapter decides nothing/,
  },
  {
    name: '2: an adapter imports the database',
    file: 'server/src/adapters/mail/b.ts',
    code: `import type { T } from '#platform/database'\nexport type U = T`,
    says: /stores nothing/,
  },
  {
    name: '2: an adapter imports the log',
    file: 'server/src/adapters/mail/c.ts',
    code: `import type { T } from '#platform/log'\nexport type U = T`,
  },
  {
    name: '2: a room imports an adapter by value',
    file: room('causes/sources/actions/read-a.ts'),
    code: `import { x } from '#adapters/forges'\nexport const y = x`,
    says: /import type/,
  },
  {
    name: '2: a room imports a port as a type',
    file: room('causes/sources/actions/read-b.ts'),
    code: `import type { Forge } from '#adapters/forges'\nexport type U = Forge`,
  },
  // 3. the inside of another room
  {
    name: '3: a room imports the inside of another',
    file: room('causes/sources/actions/read-c.ts'),
    code: `import type { T } from '../../../foundation/teams/store.ts'\nexport type U = T`,
    says: /by its door, #rooms\/foundation\/teams/,
  },
  {
    name: '3: a room imports a door by path',
    file: room('causes/sources/actions/read-d.ts'),
    code: `import type { T } from '../../../foundation/teams/index.ts'\nexport type U = T`,
    says: /write the door, #rooms\/foundation\/teams/,
  },
  {
    name: '3: a test imports the store of another room',
    file: room('causes/sources/a.test.ts'),
    code: `import { x } from '../../foundation/teams/store.ts'\nexport const y = x`,
    says: /by its door/,
  },
  {
    name: '3: a test imports the builders of another room',
    file: room('causes/sources/b.test.ts'),
    code: `import { aTeam } from '../../foundation/teams/testing.ts'\nexport const y = aTeam`,
  },
  // 4. a room above
  {
    name: '4: a room asks a room above it',
    file: room('foundation/teams/actions/read-a.ts'),
    code: `import type { T } from '#rooms/execution/runs'\nexport type U = T`,
    says: /stands above it; tell it by a fact/,
  },
  {
    name: '4: a room asks a room that is in no order',
    file: room('foundation/teams/actions/read-b.ts'),
    code: `import type { T } from '#rooms/foundation/cellar'\nexport type U = T`,
    says: /tools\/lint\/rooms\.ts/,
  },
  // 5. another door by value
  {
    name: '5: a room imports a door by value',
    file: room('execution/runs/actions/read-a.ts'),
    code: `import { x } from '#rooms/foundation/teams'\nexport const y = x`,
    says: /take the instance from needs/,
  },
  {
    name: '5: a room re-exports a door by value',
    file: room('execution/runs/actions/read-b.ts'),
    code: `export { x } from '#rooms/foundation/teams'`,
    says: /take the instance from needs/,
  },
  {
    name: '5: a room imports a door by a dynamic import',
    file: room('execution/runs/actions/read-c.ts'),
    code: `export const x = await import('#rooms/foundation/teams')`,
    says: /take the instance from needs/,
  },
  {
    name: '5: a room imports the type of a door',
    file: room('execution/runs/actions/read-d.ts'),
    code: `import type { T } from '#rooms/foundation/teams'\nexport type U = T`,
  },
  {
    name: '5: the house imports a door by value',
    file: 'server/src/house.ts',
    code: `import { x } from '#rooms/foundation/teams'\nexport const y = x`,
  },
  {
    name: '5: main imports a room',
    file: 'server/src/main.ts',
    code: `import { x } from '#rooms/foundation/teams'\nexport const y = x`,
    says: /let house\.ts open the room/,
  },
  {
    name: '5: a room imports the house',
    file: room('execution/runs/actions/read-e.ts'),
    code: `import { x } from '../../../../house.ts'\nexport const y = x`,
    says: /does not know the house/,
  },
  // 6. rules
  {
    name: '6: rules import the store',
    file: room('execution/runs/rules.ts'),
    code: `import type { T } from './store.ts'\nexport type U = T`,
    says: /declare the type in rules\.ts/,
  },
  {
    name: '6: rules import node',
    file: room('execution/logs/rules.ts'),
    code: `import { join } from 'node:path'\nexport const y = join`,
    says: /rules are pure/,
  },
  {
    name: '6: rules import the database',
    file: room('execution/dispatch/rules.ts'),
    code: `import type { T } from '#platform/database'\nexport type U = T`,
    says: /rules are pure/,
  },
  {
    name: '6: rules import the pipeline',
    file: room('causes/triggers/rules.ts'),
    code: `import { x } from '@signalbox/pipeline/patterns'\nexport const y = x`,
  },
  // 7. edges and SQL
  {
    name: '7: routes import the store',
    file: room('execution/runs/routes.ts'),
    code: `import { x } from './store.ts'\nexport const y = x`,
    says: /routes\.ts calls actions/,
  },
  {
    name: '7: tools import the store',
    file: room('execution/runs/tools.ts'),
    code: `import { x } from './store.ts'\nexport const y = x`,
    says: /tools\.ts calls actions/,
  },
  {
    name: '7: routes import an action',
    file: room('execution/logs/routes.ts'),
    code: `import { x } from './actions/read-log.ts'\nexport const y = x`,
  },
  {
    name: '7: a query builder outside the store',
    file: room('execution/runs/actions/find-a.ts'),
    code: `export function q(db: { selectFrom(t: string): unknown }) { return db.selectFrom('runs') }`,
    says: /SQL lives in store\.ts/,
  },
  {
    name: '7: an SQL string outside the store',
    file: room('execution/runs/actions/find-b.ts'),
    code: `export const q = 'select id from runs where id = $1'`,
    says: /SQL lives in store\.ts/,
  },
  {
    name: '7: an SQL template outside the store',
    file: room('execution/runs/actions/find-c.ts'),
    code: 'export const q = (t: string) => `update ${t} set a = 1`',
    says: /SQL lives in store\.ts/,
  },
  {
    name: '7: a sentence that begins like SQL',
    file: room('execution/runs/actions/find-d.ts'),
    code: `export const q = 'Select one of the runs, or update the trigger.'`,
  },
  {
    name: '7: SQL in the store',
    file: room('execution/runs/store.ts'),
    code: `export const q = 'select id from runs'`,
  },
  // The order inside a room
  {
    name: 'order: the store imports an action, for its type',
    file: room('catalog/profiles/store.ts'),
    code: `import type { T } from './actions/list-profiles.ts'\nexport type U = T`,
    says: /"store" comes before "actions"/,
  },
  {
    name: 'order: the store imports the means',
    file: room('catalog/pipelines/store/versions.ts'),
    code: `import type { T } from '../means.ts'\nexport type U = T`,
    says: /"store" comes before "means"/,
  },
  {
    name: 'order: rules import the errors',
    file: room('catalog/profiles/rules.ts'),
    code: `import { x } from './errors.ts'\nexport const y = x`,
    says: /"rules" comes before "errors"/,
  },
  {
    name: 'order: an action imports routes',
    file: room('catalog/profiles/actions/read-a.ts'),
    code: `import { x } from '../routes.ts'\nexport const y = x`,
    says: /"actions" comes before "routes"/,
  },
  {
    name: 'order: an action imports a job',
    file: room('catalog/profiles/actions/read-b.ts'),
    code: `import { x } from '../jobs.ts'\nexport const y = x`,
    says: /"actions" comes before "jobs"/,
  },
  {
    name: 'order: an action imports a type of the door of its own room',
    file: room('catalog/profiles/actions/read-c.ts'),
    code: `import type { T } from '../index.ts'\nexport type U = T`,
    says: /"actions" comes before "index"/,
  },
  {
    name: 'order: a reaction re-exports the door of its own room',
    file: room('catalog/profiles/reactions.ts'),
    code: `export { x } from './index.ts'`,
    says: /"reactions" comes before "index"/,
  },
  {
    name: 'order: an engine below actions imports an action',
    file: room('execution/dispatch/sessions/a.ts'),
    code: `import { x } from '../actions/read-a.ts'\nexport const y = x`,
    says: /"sessions" comes before "actions"/,
  },
  {
    name: 'order: an action imports an engine above it',
    file: room('execution/dispatch/actions/read-b.ts'),
    code: `import { x } from '../dispatcher/a.ts'\nexport const y = x`,
    says: /"actions" comes before "dispatcher"/,
  },
  {
    name: 'order: an engine above actions imports a job',
    file: room('execution/dispatch/dispatcher/b.ts'),
    code: `import { x } from '../jobs.ts'\nexport const y = x`,
    says: /"dispatcher" comes before "jobs"/,
  },
  {
    name: 'order: an engine imports actions and what is below them',
    file: room('execution/dispatch/dispatcher/a.ts'),
    code: `import { a } from '../actions/read-a.ts'\nimport { s } from '../sessions/b.ts'\nexport const y = [a, s]`,
  },
  {
    name: 'order: an action imports the means, errors, facts, store and rules',
    file: room('catalog/profiles/actions/read-d.ts'),
    code: `import type { T } from '../means.ts'\nimport { e } from '../errors.ts'\nimport { f } from '../facts.ts'\nimport { s } from '../store.ts'\nimport { r } from '../rules.ts'\nexport const y: T = [e, f, s, r]`,
  },
  {
    name: 'order: the means name a type of an action',
    file: room('catalog/runners/means.ts'),
    code: `import type { T } from './actions/keep-copy.ts'\nexport type U = T`,
  },
  {
    name: 'order: a job imports an action',
    file: room('catalog/profiles/jobs.ts'),
    code: `import { x } from './actions/read-d.ts'\nexport const y = x`,
  },
  {
    name: 'order: a test imports the door of its own room',
    file: room('catalog/profiles/actions/read-e.test.ts'),
    code: `import { x } from '../index.ts'\nexport const y = x`,
  },
  // Rules are pure
  {
    name: '6: rules import by a computed name',
    file: room('causes/events/rules/a.ts'),
    code: `export function x(name: string) { return import(name) }`,
    says: /import by a fixed name/,
  },
  {
    name: '6: rules ask the time',
    file: room('causes/events/rules/b.ts'),
    code: `export const x = Date.now()`,
    says: /ask the clock/,
  },
  {
    name: '6: rules measure time',
    file: room('causes/events/rules/c.ts'),
    code: `export const x = performance.now()`,
    says: /ask the clock/,
  },
  {
    name: '6: rules ask the time as a text',
    file: room('causes/events/rules/d.ts'),
    code: `export const x = Date()`,
    says: /ask the clock/,
  },
  {
    name: '6: rules wait',
    file: room('causes/events/rules/e.ts'),
    code: `export function x() { return setTimeout(() => undefined, 1) }`,
    says: /by the clock of the kit/,
  },
  {
    name: '6: rules read a given instant',
    file: room('causes/events/rules/f.ts'),
    code: `export function x(at: string) { return new Date(at) }`,
  },
  // Parameters
  {
    name: 'a function of five parameters',
    file: 'runner/src/parameters-a.ts',
    code: `export function x(a: 1, b: 1, c: 1, d: 1, e: 1) { return [a, b, c, d, e] }`,
    says: /too many parameters \(5\)/,
  },
  {
    name: 'a method of five parameters',
    file: 'runner/src/parameters-b.ts',
    code: `export class X { y(a: 1, b: 1, c: 1, d: 1, e: 1) { return [this, a, b, c, d, e] } }`,
    says: /too many parameters \(5\)/,
  },
  {
    name: 'a function of four parameters',
    file: 'runner/src/parameters-c.ts',
    code: `export function x(a: 1, b: 1, c: 1, d: 1) { return [a, b, c, d] }`,
  },
  // 8. contracts and pipeline are pure
  {
    name: '8: contracts import node',
    file: 'contracts/src/runs/a.ts',
    code: `import { join } from 'node:path'\nexport const y = join`,
    says: /runs in a browser/,
  },
  {
    name: '8: contracts import the pipeline',
    file: 'contracts/src/runs/b.ts',
    code: `import { x } from '@signalbox/pipeline/graph'\nexport const y = x`,
    says: /contracts imports nothing of ours/,
  },
  {
    name: '8: contracts import a package',
    file: 'contracts/src/runs/c.ts',
    code: `import { x } from 'yaml'\nexport const y = x`,
    says: /nothing but the schema library/,
  },
  {
    name: '8: contracts import the schema library',
    file: 'contracts/src/runs/d.ts',
    code: `import { x } from 'typebox'\nexport const y = x`,
  },
  {
    name: '8: pipeline imports node',
    file: 'pipeline/src/graph/a.ts',
    code: `import { join } from 'node:path'\nexport const y = join`,
    says: /runs in a browser/,
  },
  {
    name: '8: pipeline imports the server',
    file: 'pipeline/src/graph/b.ts',
    code: `import { x } from '../../../server/src/house.ts'\nexport const y = x`,
    says: /meet server on the wire/,
  },
  {
    name: '8: pipeline imports contracts',
    file: 'pipeline/src/graph/c.ts',
    code: `import { x } from '@signalbox/contracts/event'\nexport const y = x`,
  },
  {
    name: '8: pipeline imports contracts by path',
    file: 'pipeline/src/graph/d.ts',
    code: `import { x } from '../../../contracts/src/event/index.ts'\nexport const y = x`,
    says: /by its package, @signalbox\/contracts/,
  },
  // 9. the server is met on the wire
  {
    name: '9: the runner imports the server',
    file: 'runner/src/a.ts',
    code: `import { x } from '@signalbox/server/house'\nexport const y = x`,
    says: /meet server on the wire/,
  },
  {
    name: '9: the command line imports the server',
    file: 'cli/src/a.ts',
    code: `import { x } from '../../server/src/house.ts'\nexport const y = x`,
    says: /meet server on the wire/,
  },
  {
    name: '9: the web page imports the server',
    file: 'ui/src/a.ts',
    code: `import { x } from '@signalbox/server'\nexport const y = x`,
    says: /meet server on the wire/,
  },
  {
    name: '9: the git bot imports the server',
    file: 'git-bot/src/a.ts',
    code: `import { x } from '@signalbox/server'\nexport const y = x`,
    says: /meet server on the wire/,
  },
  {
    name: '9: the server imports the runner',
    file: 'server/src/opening.ts',
    code: `import { x } from '@signalbox/runner'\nexport const y = x`,
    says: /meet runner on the wire/,
  },
  {
    name: '9: the command line imports the runner',
    file: 'cli/src/b.ts',
    code: `import { x } from '@signalbox/runner'\nexport const y = x`,
  },
  {
    name: '9: the product imports a tool',
    file: 'runner/src/b.ts',
    code: `import { x } from '../../bench/run.ts'\nexport const y = x`,
    says: /is for development/,
  },
  {
    name: '9: a program looks for what is built of it',
    file: 'runner/bin/b.mjs',
    code: `import { x } from '../../build/built.mjs'\nexport const y = x`,
  },
  {
    name: '9: a source looks for what is built of it',
    file: 'runner/src/built.ts',
    code: `import { x } from '../../build/built.mjs'\nexport const y = x`,
    says: /is for development/,
  },
  // 10. one owner per table
  {
    name: '10: a table of another store',
    file: room('execution/dispatch/store.ts'),
    code: `export const q = 'select 1 from leases join schedules on true'`,
    says: /"schedules" is named in the store of "causes\/events" too/,
  },
  {
    name: '10: a table of another store, in a builder',
    file: room('causes/events/store.ts'),
    code: `export function q(db: { selectFrom(t: string): unknown }) { return db.selectFrom('schedules as s') }`,
    says: /"schedules" is named in the store of "execution\/dispatch" too/,
  },
  {
    name: '10: only tables that exist, and no comments, count',
    file: room('execution/logs/store.ts'),
    code: `// counted from schedules\nexport const q = 'with recent as (select 1) select * from recent for update'`,
  },
  {
    name: 'a comparison of the kind of a task',
    file: 'pipeline/src/status/kinds-a.ts',
    code: `export function x(task: { kind: string }) { return task.kind === 'run' }`,
    says: /switch over the kind/,
  },
  {
    name: 'a comparison of the kind of a task that may be absent',
    file: room('execution/dispatch/rules/kinds-b.ts'),
    code: `export function x(found?: { task: { kind: string } }) { return 'run' !== found?.task.kind }`,
    says: /switch over the kind/,
  },
  {
    name: 'a comparison of another kind',
    file: 'pipeline/src/status/kinds-c.ts',
    code: `export function x(node: { kind: string }) { return node.kind === 'map' }`,
  },
  {
    name: 'a function of a file as a constant',
    file: 'runner/src/functions-a.ts',
    code: `const x = () => 1\nexport const y = () => x()`,
    says: /write "function/,
  },
  {
    name: 'a function of a named type, and one within a function',
    file: 'runner/src/functions-b.ts',
    code: `type Make = () => number\nexport const x: Make = () => 1\nexport function y() {\n  const z = () => 1\n  return z()\n}`,
  },
  // 11. the world outside
  {
    name: '11: the environment in a room',
    file: room('foundation/access/actions/read-a.ts'),
    code: `export const x = process.env`,
    says: /options are data/,
  },
  {
    name: '11: the environment by import',
    file: room('foundation/access/actions/read-b.ts'),
    code: `import { env } from 'node:process'\nexport const x = env`,
    says: /options are data/,
  },
  {
    name: '11: the environment in config',
    file: platform('config/read-config.ts'),
    code: `export const x = process.env`,
  },
  {
    name: '11: the environment in the options of the runner',
    file: 'runner/src/options.ts',
    code: `export const x = process.env`,
  },
  {
    name: '11: the environment as a whole, handed on by main',
    file: 'runner/src/main.ts',
    code: `export function x(read: (env: unknown) => void) { return read(process.env) }`,
  },
  {
    name: '11: one variable of the environment in an entry',
    file: 'runner/bin/signalbox-runner.mjs',
    code: `export const x = process.env['HOME']`,
    says: /options are data/,
  },
  {
    name: '11: the environment elsewhere in the runner',
    file: 'runner/src/c.ts',
    code: `export const x = process.env`,
    says: /options are data/,
  },
  {
    name: '11: the time of the world',
    file: room('foundation/access/actions/read-c.ts'),
    code: `export const x = new Date()`,
    says: /ask the clock/,
  },
  {
    name: '11: the time of the world, as a number',
    file: 'pipeline/src/status/a.ts',
    code: `export const x = Date.now()`,
    says: /ask the clock/,
  },
  {
    name: '11: a given time',
    file: room('foundation/access/actions/read-d.ts'),
    code: `export function x(at: string) { return new Date(at) }`,
  },
  {
    name: '11: the time in platform/time',
    file: platform('time/index.ts'),
    code: `export function x() { return new Date() }\nexport const y = setTimeout`,
  },
  {
    name: '11: chance',
    file: room('foundation/access/actions/read-e.ts'),
    code: `export const x = Math.random()`,
    says: /randomness/,
  },
  {
    name: '11: a timer',
    file: room('foundation/access/actions/read-f.ts'),
    code: `export function x() { return setTimeout(() => undefined, 1) }`,
    says: /by the clock of the kit/,
  },
  {
    name: '11: a timer by import',
    file: room('foundation/access/actions/read-g.ts'),
    code: `import { setTimeout } from 'node:timers/promises'\nexport const x = setTimeout`,
    says: /by the clock of the kit/,
  },
  {
    name: '11: a parameter that is called like a timer',
    file: room('foundation/access/actions/read-h.ts'),
    code: `export function x(setTimeout: () => void) { return setTimeout() }`,
  },
  {
    name: '11: fetch in a room',
    file: room('foundation/access/actions/read-i.ts'),
    code: `export function x() { return fetch('http://a') }`,
    says: /in an adapter/,
  },
  {
    name: '11: fetch through globalThis',
    file: room('foundation/access/actions/read-j.ts'),
    code: `export const x = globalThis.fetch`,
    says: /in an adapter/,
  },
  {
    name: '11: fetch in an adapter',
    file: 'server/src/adapters/forges/d.ts',
    code: `export function x() { return fetch('http://a') }`,
  },
  {
    name: '11: the console',
    file: 'runner/src/d.ts',
    code: `export function x() { return console.info('a') }`,
    says: /log with the kit/,
  },
  {
    name: '11: the console of the command line',
    file: 'cli/src/c.ts',
    code: `export function x() { return console.info('a') }`,
  },
  {
    name: '11: the world in a test',
    file: room('foundation/access/actions/read-k.test.ts'),
    code: `export const x = [process.env, Date.now(), Math.random(), setTimeout, fetch, console]`,
  },
  // 12. what cannot be stripped or found
  { name: '12: a default export', file: 'runner/src/e.ts', code: `export default 1`, says: /no default exports/ },
  { name: '12: an enum', file: 'runner/src/f.ts', code: `export enum A { B }`, says: /no enums/ },
  {
    name: '12: a namespace',
    file: 'runner/src/g.ts',
    code: `export namespace A { export const b = 1 }`,
    says: /no namespaces/,
  },
  {
    name: '12: the augmentation of a module',
    file: 'runner/src/h.ts',
    code: `declare module 'fastify' { interface A { b: string } }\nexport const x = 1`,
  },
  {
    name: '12: a parameter property',
    file: 'runner/src/i.ts',
    code: `export class A { constructor(private readonly b: string) {} }`,
    says: /no parameter properties/,
  },
  {
    name: '12: a decorator',
    file: 'runner/src/j.ts',
    code: `declare const d: ClassDecorator\n@d\nexport class A {}`,
    says: /no decorators/,
  },
  {
    name: '12: a cycle',
    file: 'runner/src/cycle-a.ts',
    code: `import { b } from './cycle-b.ts'\nexport function a() { return b }`,
    says: /cycle/i,
  },
  {
    name: '12: the other half of the cycle',
    file: 'runner/src/cycle-b.ts',
    code: `import { a } from './cycle-a.ts'\nexport function b() { return a }`,
    says: /cycle/i,
  },
  {
    name: '12: a cycle of a value and a type',
    file: 'runner/src/cycle-c.ts',
    code: `import { d } from './cycle-d.ts'\nexport type C = string\nexport const c = d`,
    says: /cycle/i,
  },
  {
    name: '12: the half of the cycle that is a type',
    file: 'runner/src/cycle-d.ts',
    code: `import type { C } from './cycle-c.ts'\nexport const d: C = ''`,
    says: /cycle/i,
  },
  // names, places and lengths
  {
    name: 'a file of a name that rooms do not have',
    file: room('catalog/runners/queries.ts'),
    code: `export const x = 1`,
    says: /a room holds rules, errors, facts/,
  },
  {
    name: 'an action without a verb or a noun',
    file: room('catalog/runners/actions/enrol.ts'),
    code: `export const x = 1`,
    says: /verb-noun/,
  },
  {
    name: 'a folder that is an engine of this room',
    file: room('execution/dispatch/dispatcher/inbox.ts'),
    code: `export const x = 1`,
  },
  {
    name: 'a folder that is an engine of another room',
    file: room('execution/runs/dispatcher/inbox.ts'),
    code: `export const x = 1`,
    says: /listed in ENGINES/,
  },
  {
    name: 'an engine that is no folder',
    file: room('execution/dispatch/sessions.ts'),
    code: `export const x = 1`,
    says: /an engine is a folder/,
  },
  { name: 'a store that became a folder', file: room('catalog/runners/store/claim.ts'), code: `export const x = 1` },
  {
    name: 'a room that is in no order',
    file: room('catalog/cellar/index.ts'),
    code: `export const x = 1`,
    says: /not in the order of rooms/,
  },
  {
    name: 'a name that says nothing',
    file: 'runner/src/string-utils.ts',
    code: `export const x = 1`,
    says: /says nothing/,
  },
  {
    name: 'a dump of types',
    file: 'runner/src/types.ts',
    code: `export const x = 1`,
    says: /keep a type where its value lives/,
  },
  { name: 'a name in camel case', file: 'runner/src/processGroup.ts', code: `export const x = 1`, says: /kebab-case/ },
  {
    name: 'a builder outside tests',
    file: 'runner/src/k.ts',
    code: `import { x } from './testing.ts'\nexport const y = x`,
    says: /is for tests/,
  },
  { name: 'a file of 301 lines', file: 'runner/src/long.ts', code: lines(301), says: /301 lines; above 300/ },
  { name: 'a file of 501 lines', file: 'runner/src/longer.ts', code: lines(501), says: /501 lines; 500 is the limit/ },
  { name: 'a file of 300 lines', file: 'runner/src/short.ts', code: lines(300) },
  { name: 'a test of 501 lines', file: 'runner/src/long.test.ts', code: lines(501) },
]

let tree: string
let findings: ReadonlyMap<string, readonly string[]>

const CONFIGURATION = {
  plugins: ['import'],
  jsPlugins: [join(import.meta.dirname, 'house.ts')],
  env: { node: true, es2024: true },
  categories: { correctness: 'off' },
  rules: {
    'house/arrows': 'error',
    'house/order': 'error',
    'house/computed': 'error',
    'house/sql': 'error',
    'house/tables': 'error',
    'house/world': 'error',
    'house/shape': 'error',
    'house/kinds': 'error',
    'house/functions': 'error',
    'house/long': 'warn',
    'house/too-long': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'max-params': ['error', { max: 4 }],
  },
}

function write(file: string, text: string): void {
  const path = join(tree, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** One line per finding, in the unix format: `path:line:column: message [severity/rule]`. */
function lint(cwd: string): ReadonlyMap<string, readonly string[]> {
  const { stdout, stderr } = spawnSync(process.execPath, [binary, '--format=unix'], { cwd, encoding: 'utf8' })
  assert.match(stdout, /\d+ problems/, `oxlint did not come to an end: ${stdout}${stderr}`)
  const found = new Map<string, string[]>()
  for (const line of stdout.split('\n')) {
    const [, file, message] = /^(.+?):\d+:\d+: (.+) \[/.exec(line) ?? []
    if (file && message) found.set(file, [...(found.get(file) ?? []), message])
  }
  return found
}

describe('the house rules, through oxlint', () => {
  before(() => {
    tree = mkdtempSync(join(tmpdir(), 'signalbox-lint-'))
    write('.oxlintrc.json', JSON.stringify(CONFIGURATION))
    write(
      'server/migrations/202611210000_events_create.sql',
      'create table schedules (id uuid);\ncreate table leases (id uuid);',
    )
    for (const { file, code } of CASES) write(file, `${code}\n`)
    findings = lint(tree)
  })

  after(() => rmSync(tree, { recursive: true, force: true }))

  for (const { name, file, says } of CASES) {
    test(`${name}: ${says ? 'is refused with a sentence' : 'is fine'}`, () => {
      const messages = findings.get(file) ?? []
      if (!says) return assert.deepEqual(messages, [])
      assert.ok(
        messages.some((message) => says.test(message)),
        `${file} should earn ${says}, and earned: ${messages.join(' | ') || 'nothing'}`,
      )
    })
  }

  test('no two cases share a file', () => {
    assert.equal(new Set(CASES.map(({ file }) => file)).size, CASES.length)
  })
})
