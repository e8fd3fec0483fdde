import { existsSync, readFileSync } from 'node:fs'

// Loaded into a process before anything else (`--import`). The file sets the error of the wall clock in milliseconds,
// from its next change on. The clocks that count passing time go on, as in a system.

const file = process.env['SIGNALBOX_TEST_CLOCK']
const RealDate = Date
const realNow = Date.now
const LOOK_MS = 50
let offset = 0
let looked = Number.NEGATIVE_INFINITY

function now(): number {
  if (file !== undefined && performance.now() - looked > LOOK_MS) {
    looked = performance.now()
    offset = existsSync(file) ? Number(readFileSync(file, 'utf8')) || 0 : 0
  }
  return realNow() + offset
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
})
