import { renderCommandLinePage } from '../../cli/src/documentation.ts'
import type { Generator } from './generator.ts'
import { writeOutput } from './write.ts'

const OUTPUT = 'docs/cli.md'

/** The page of all commands, out of the tree that the program itself parses with. */
export const commandLine: Generator = {
  name: 'command line page',
  outputs: [OUTPUT],
  run: (into) => writeOutput(into, OUTPUT, renderCommandLinePage()),
}
