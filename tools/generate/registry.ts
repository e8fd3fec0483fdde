import { commandLine } from './command-line.ts'
import { configuration } from './configuration.ts'
import { errorCodes } from './error-codes.ts'
import type { Generator } from './generator.ts'
import { language } from './language.ts'
import { openApi } from './open-api.ts'
import { protobuf } from './protobuf.ts'
import { schema } from './schema.ts'
import { tables } from './tables.ts'

/** Every generator; a new one is a file beside these and a line here. */
export const GENERATORS: readonly Generator[] = [
  protobuf,
  configuration,
  schema,
  tables,
  openApi,
  errorCodes,
  commandLine,
  language,
]
