import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Generator } from './generator.ts'

const run = promisify(execFile)

/** The messages of the runner protocol, by contracts/buf.gen.yaml. */
export const protobuf: Generator = {
  name: 'runner protocol',
  outputs: ['contracts/src/runner/generated/runner_pb.ts'],
  async run(into, { root }) {
    const buf = join(root, 'node_modules/.bin/buf')
    await run(buf, ['generate', '--output', join(into, 'contracts')], { cwd: join(root, 'contracts') })
  },
}
