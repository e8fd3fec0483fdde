import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchema, FastifySchemaCompiler } from 'fastify'
import type { Route } from './route.ts'

const OPTIONS: Options = { allErrors: true, strict: false, removeAdditional: false, useDefaults: true }

/** Coercion is for addresses only: a query and a path are text; a JSON body has types of its own. */
export function createValidatorCompiler(): FastifySchemaCompiler<FastifySchema> {
  const body = new Ajv({ ...OPTIONS, coerceTypes: false })
  const address = new Ajv({ ...OPTIONS, coerceTypes: 'array' })
  for (const ajv of [body, address]) {
    addFormats.default(ajv)
    ajv.addFormat('date-time', isInstant)
  }
  return ({ schema, httpPart }) => (httpPart === 'body' ? body : address).compile(schema)
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

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

/**
 * RFC 3339 narrowed to what a Date and PostgreSQL both hold: no leap second (RFC 3339 allows `:60`, JavaScript has no
 * such instant), no day that a month lacks (JavaScript takes 30 February for 2 March), no year 0.
 */
export function isInstant(text: string): boolean {
  const [, year = '', month = '', day = ''] = INSTANT.exec(text) ?? []
  if (year === '' || year === '0000' || Number.isNaN(Date.parse(text))) return false
  return Number(day) >= 1 && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}
