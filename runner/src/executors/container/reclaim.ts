import type { Assign } from '@signalbox/contracts/runner'
import type { ExecutionTools } from './container-tools.ts'
import { EngineError } from './engine/errors.ts'
import { launch } from './launch.ts'
import { IN_CONTAINER, labelsOf } from './specs.ts'

const WITHIN_MS = 300_000

/**
 * Gives the files of a workspace back to the runner's own user. The runner's user is not root and may not take them, so
 * root in a container of the same image gives them back. Throws when that container cannot be started or fails.
 */
export async function reclaim(
  { engine, time, runner }: ExecutionTools,
  assign: Assign,
  image: string,
  directory: string,
) {
  // Where the engine maps users, the runner's own is root in there.
  const owner = engine.facts.mapsUsers ? '0:0' : `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
  const patience = new AbortController()
  const timer = time.after(WITHIN_MS, () => patience.abort())
  const signals = { stop: patience.signal, patience: patience.signal }
  let id = ''
  const spec = {
    Image: image,
    Labels: labelsOf(assign, runner),
    Env: [],
    Entrypoint: ['sh'],
    Cmd: ['-c', `chown -R ${owner} ${IN_CONTAINER.workspace}`],
    User: '0',
    HostConfig: {
      NetworkMode: 'none',
      Binds: [`${directory}:${IN_CONTAINER.workspace}:rw,z`],
      CapDrop: ['ALL'],
      CapAdd: ['CHOWN', 'DAC_OVERRIDE'],
      SecurityOpt: ['no-new-privileges'],
      Memory: 256 * 1024 * 1024,
      MemorySwap: 256 * 1024 * 1024,
      PidsLimit: 64,
    },
  }
  const created = async (given: string) => {
    id = given
  }
  try {
    await launch(engine, { what: 'The container that gives files back', makeSpec: () => spec }, created, signals)
    const { exitCode, error } = await engine.waitForEnd(id, patience.signal)
    if (exitCode === 0 && error === undefined) return
    const how = error ?? `exit code ${exitCode}`
    throw new EngineError({ kind: 'refused', status: 500 }, `chown in ${image} ended with: ${how}`)
  } finally {
    timer.stop()
    if (id !== '') await engine.removeContainer(id)
  }
}
