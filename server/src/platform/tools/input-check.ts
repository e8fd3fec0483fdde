import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { invalidRequest } from '#platform/http'
import { isInstant } from '#platform/time'
import type { Tool } from './tool.ts'

/** Answers the input with its defaults. Throws invalid_request (400), which names each field at fault. */
export type InputCheck = (tool: Pick<Tool, 'name' | 'input'>, input: unknown) => unknown

/** Compiles the schema of a tool when it is first called. */
export function createInputCheck(): InputCheck {
  const ajv = new Ajv({ allErrors: true, strict: false, useDefaults: true, verbose: true })
  addFormats.default(ajv)
  ajv.addFormat('date-time', isInstant)
  return (tool, input) => {
    const checked: unknown = structuredClone(input)
    const validate = ajv.getSchema(tool.name) ?? ajv.addSchema(tool.input, tool.name).getSchema(tool.name)
    if (!validate) throw new Error(`the input of ${tool.name} has no schema`)
    if (validate(checked) === true) return checked
    throw invalidRequest('arguments', validate.errors ?? [])
  }
}
