import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { fieldsOf, isFields } from '../fields.ts'

/** GitHub's published description: what the forge answers and sends must fit it. */
export interface Description {
  /** `GET /repos/{owner}/{repo}`, as the description writes it. */
  readonly operations: readonly string[]
  /** What is wrong with an answer; empty: nothing. Throws for a status that GitHub does not describe. */
  findFaults(operation: string, status: number, body: unknown): readonly string[]
  /** What is wrong with a delivery's payload; `event` as GitHub's header names it. */
  findPayloadFaults(event: string, action: string | null, payload: unknown): readonly string[]
}

/** Statuses that GitHub describes for no operation, because every one may answer them. */
const GENERAL = [401, 403, 404, 422]

export function readDescription(): Description {
  const read: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'generated/ghes-3.19.json'), 'utf8'))
  const description = isFields(read) ? read : {}
  const operations = fieldsOf(description, 'operations')
  const webhooks = fieldsOf(description, 'webhooks')
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'github', components: asJsonSchema(description['components']) })
  const compiled = new Map<string, ValidateFunction>()

  function check(name: string, schema: unknown, value: unknown): readonly string[] {
    const known = compiled.get(name)
    const validate = known ?? ajv.compile(Object(asJsonSchema(schema)))
    if (!known) compiled.set(name, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => `${name}: ${error.instancePath} ${error.message}`)
  }

  return {
    operations: Object.keys(operations),
    findFaults(operation, status, body) {
      const responses = fieldsOf(fieldsOf(operations, operation), 'responses')
      const schema = responses[String(status)]
      if (schema === undefined) {
        if (GENERAL.includes(status) && operation in operations) return []
        throw new Error(`GitHub does not describe ${status} of ${operation}.`)
      }
      if (schema === null) return body === undefined ? [] : [`${operation}: ${status} has no body`]
      return check(`${operation} ${status}`, schema, body)
    },
    findPayloadFaults(event, action, payload) {
      const name = [event, action]
        .filter((part) => part !== null)
        .join('-')
        .replaceAll('_', '-')
      const schema = webhooks[name]
      if (schema === undefined) throw new Error(`GitHub does not describe ${name}.`)
      return check(name, schema, payload)
    },
  }
}

/** OpenAPI 3.0 as JSON Schema: references by the id of the whole, and `nullable` as a choice. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema)
  if (!isFields(value)) return value
  const { nullable, ...rest } = value
  const read = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, asJsonSchema(inner)]))
  const ref = read['$ref']
  if (typeof ref === 'string') return { $ref: `github${ref}` }
  return nullable === true
    ? { anyOf: [read, { type: 'null' }] }
    : { ...read, ...(isFields(nullable) ? { nullable: asJsonSchema(nullable) } : {}) }
}
