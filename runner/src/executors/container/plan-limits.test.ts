import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ContainerSchema } from '@signalbox/contracts/runner'
import fc from 'fast-check'
import { planLimits } from './plan-limits.ts'

const ceiling = { cpus: 4, memoryMb: 8192, pids: 8192 }
const service = (name: string, limits = {}) => ({ name, image: 'localhost/tiny:1', limits })
const containerOf = (limits: object, services: readonly ReturnType<typeof service>[] = []) =>
  create(ContainerSchema, { image: 'localhost/tiny:1', limits, services: [...services] })

const amount = (most: number) => fc.oneof(fc.constant(0), fc.integer({ min: 16, max: most }))
const limits = fc.record({
  cpus: fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 8, noNaN: true })),
  memoryMb: amount(9000),
  pids: amount(9000),
  shmMb: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 })),
  tmpfsMb: fc.dictionary(fc.constantFrom('/a', '/b'), fc.integer({ min: 1, max: 200 })),
})

describe('the limits of a task and its services', () => {
  test('are there where nothing is said: services have what is usual, the task the rest of its share', () => {
    const planned = planLimits(containerOf({}, [service('db'), service('cache')]), ceiling, 4096)
    assert.ok('task' in planned)
    assert.equal(planned.task.memoryMb, 4096 - 2 * 1024)
    assert.deepEqual(
      planned.services.map(({ memoryMb }) => memoryMb),
      [1024, 1024],
    )
    assert.deepEqual([planned.task.cpus, planned.task.pids, planned.services[0]?.pids], [4, 4096, 1024])
  })

  test('are those of the document, and more than a share where it asks for that', () => {
    const planned = planLimits(
      containerOf({ memoryMb: 6000, cpus: 2 }, [service('db', { memoryMb: 512 })]),
      ceiling,
      2048,
    )
    assert.ok('task' in planned)
    assert.deepEqual([planned.task.memoryMb, planned.task.cpus, planned.services[0]?.memoryMb], [6000, 2, 512])
    assert.equal(planned.memoryMb, 6512)
  })

  test('beyond a ceiling are refused with what it is and where it stands', () => {
    const tooMuch = [
      [containerOf({ memoryMb: 9000 }), /need 9000 MB of memory, .* 8192 at most: .*--task-memory-mb/],
      [
        containerOf(
          {},
          Array.from({ length: 10 }, (_, at) => service(`s${at}`, { memoryMb: 1000 })),
        ),
        /--task-memory-mb/,
      ],
      [containerOf({}, [service('db', { cpus: 5 })]), /The service db asks for 5 processors, .*--task-cpus/],
      [containerOf({ pids: 9000 }), /--task-pids/],
      [
        containerOf({ memoryMb: 100, shmMb: 60, tmpfsMb: { '/cache': 60 } }),
        /120 MB of \/dev\/shm and tmpfs.*raise resources.memory_mb/,
      ],
    ] as const
    for (const [container, reason] of tooMuch) {
      const planned = planLimits(container, ceiling, 2048)
      assert.match('problem' in planned ? planned.problem : 'planned', reason)
    }
  })

  test('whatever is asked: none is without, what is asked is given, and together they stay below the ceiling', () => {
    fc.assert(
      fc.property(
        limits,
        fc.array(limits, { maxLength: 10 }),
        fc.integer({ min: 200, max: 8192 }),
        (own, others, shareMb) => {
          const container = containerOf(
            own,
            others.map((each, at) => service(`s${at}`, each)),
          )
          const planned = planLimits(container, ceiling, shareMb)
          if ('problem' in planned) return
          const all = [planned.task, ...planned.services]
          for (const [at, { cpus, memoryMb, pids, shmMb, tmpfsMb }] of all.entries()) {
            const asked = [own, ...others][at] ?? assert.fail('one for each')
            for (const given of [cpus, memoryMb, pids, shmMb]) assert.ok(given > 0)
            assert.ok(cpus <= ceiling.cpus)
            for (const [ask, given] of [
              [asked.memoryMb, memoryMb],
              [asked.pids, pids],
              [asked.cpus, cpus],
            ] as const) {
              if (ask > 0) assert.equal(given, ask)
            }
            assert.ok(shmMb <= memoryMb && Object.values(tmpfsMb).reduce((a, b) => a + b, 0) <= memoryMb)
          }
          assert.ok(planned.memoryMb <= ceiling.memoryMb)
          assert.equal(
            all.reduce((total, { memoryMb }) => total + memoryMb, 0),
            planned.memoryMb,
          )
          assert.ok(all.reduce((total, { pids }) => total + pids, 0) <= ceiling.pids)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
