import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type House, makeDataDir, startHouse } from './house.ts'

const CLOCK = join(import.meta.dirname, 'jumping-clock.ts')

/** A control plane of many lives: each has the folder, the ports and the wall clock of the one before. */
export interface MovedHouse {
  /** The point at which a life is to end, `FAIL_POINT` without `@`; it holds once `arm` was called. */
  start(failPoint?: string): Promise<House>
  arm(): void
  disarm(): void
  /** Lets the wall clock be ahead by so many milliseconds more. Answers by how many it is ahead now. */
  letPass(ms: number): number
  /** Removes what it kept; nothing runs any more. */
  [Symbol.dispose](): void
}

export async function prepareMovedHouse(): Promise<MovedHouse> {
  const dataDir = makeDataDir()
  const armed = join(dataDir, 'armed')
  const time = join(dataDir, 'time')
  const ports = { port: await freePort(), runnerPort: await freePort() }
  let movedMs = 0
  return {
    start(failPoint) {
      const env = {
        BASE_URL: `http://127.0.0.1:${ports.port}`,
        NODE_OPTIONS: `--import ${CLOCK}`,
        SIGNALBOX_TEST_CLOCK: time,
      }
      return startHouse({
        dataDir,
        ports,
        env: failPoint === undefined ? env : { ...env, FAIL_POINT: `${failPoint}@${armed}` },
      })
    },
    arm: () => writeFileSync(armed, ''),
    disarm: () => rmSync(armed, { force: true }),
    letPass(ms) {
      movedMs += ms
      writeFileSync(time, String(movedMs))
      return movedMs
    },
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
