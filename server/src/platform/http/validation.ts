import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchema, FastifySchemaCompiler } from 'fastify'
import { Type } from 'typebox'
import { isInstant } from '#platform/time'
import { validateLater } from './compile-later.ts'
import type { Route } from './route.ts'

/** `verbose`: an error knows its schema, whose description is for people. */
const OPTIONS: Options = { allErrors: true, strict: false, removeAdditional: false, useDefaults: true, verbose: true }

/** Coercion is for addresses only: a query and a path are text; a JSON body has types of its own. */
export function createValidatorCompiler(): FastifySchemaCompiler<FastifySchema> {
  const body = new Ajv({ ...OPTIONS, coerceTypes: false })
  const address = new Ajv({ ...OPTIONS, coerceTypes: 'array' })
  for (const ajv of [body, address]) {
    addFormats.default(ajv)
    ajv.addFormat('date-time', isInstant)
  }
  return validateLater(({ schema, httpPart }) =>
    httpPart === 'body' ? body.compile(schema) : requireWholeNumbers(schema, address.compile(schema)),
  )
}

type Validate = ReturnType<FastifySchemaCompiler<FastifySchema>>

/** Shaped for `toFieldErrors`; the field is named like a field that the validator refuses. */
const NO_NUMBER = { keyword: 'type', params: { type: 'integer' } }
const WHOLE = /^(?:0|-?[1-9]\d*)$/
/** More are no longer told apart. */
const MOST_DIGITS = 16

/** Undefined: it is a whole number, as an address says it. */
function faultOfNumber(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'must be given once'
  if (typeof value !== 'string' || !WHOLE.test(value)) return 'must be a whole number in decimal digits'
  return value.replace('-', '').length > MOST_DIGITS ? `must have at most ${MOST_DIGITS} digits` : undefined
}

/** Coercion takes whatever JavaScript takes for a number: `1e0`, `0x1`, ` 1`, `1.0`, `+1`. An address says it in one way. */
function requireWholeNumbers(schema: unknown, validate: Validate): Validate {
  const names = wholeNumbersOf(schema)
  if (names.length === 0) return validate
  const strictly: Validate = (data: unknown) => {
    const wrong = Object.entries(isRecord(data) ? data : {}).flatMap(([name, value]) => {
      const message = names.includes(name) ? faultOfNumber(value) : undefined
      if (message === undefined) return []
      return [{ ...NO_NUMBER, message, instancePath: `/${name}`, schemaPath: `#/${name}/type` }]
    })
    strictly.errors = wrong
    if (wrong.length > 0) return false
    const result = validate(data)
    strictly.errors = validate.errors ?? null
    return result
  }
  return strictly
}

function wholeNumbersOf(schema: unknown): string[] {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).flatMap(([name, property]) =>
    isRecord(property) && property['type'] === 'integer' ? [name] : [],
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** YAML and other text bodies are read by the action; only JSON bodies of the same route meet the schema. */
export function passText(
  scope: FastifyInstance,
  route: Route,
): NonNullable<Parameters<FastifyInstance['route']>[0]['validatorCompiler']> {
  return ({ schema, httpPart }) => {
    const validate = scope.validatorCompiler?.({
      schema,
      method: route.method,
      url: route.path,
      ...(httpPart ? { httpPart } : {}),
    })
    if (!validate) throw new Error(`${route.method} ${route.path} cannot be validated`)
    if (httpPart !== 'body') return validate
    return (data: unknown) => {
      const result = typeof data === 'string' || validate(data)
      // The errors hang on the function that was called, which Fastify does not see behind this one.
      return result === false ? { error: validate.errors ?? [] } : result
    }
  }
}

const NO_QUERY = Type.Object({}, { additionalProperties: false })

/**
 * The schemas that Fastify uses to validate and serialise; a status without a schema is a text, a stream or nothing.
 */
export function validationOf({ schema: { params, query = NO_QUERY, body } = {}, responses }: Route): FastifySchema {
  const shaped = Object.entries(responses).filter(([, shape]) => typeof shape !== 'string')
  return {
    ...(params ? { params } : {}),
    querystring: query,
    ...(body ? { body } : {}),
    response: Object.fromEntries(shaped),
  }
}
