import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'

const OPTIONS: Options = { allErrors: true, strict: false, removeAdditional: false, useDefaults: true }

/** Coercion is for addresses only: a query and a path are text; a JSON body has types of its own. */
export function createValidatorCompiler(): FastifySchemaCompiler<FastifySchema> {
  const body = new Ajv({ ...OPTIONS, coerceTypes: false })
  const address = new Ajv({ ...OPTIONS, coerceTypes: 'array' })
  addFormats.default(body)
  addFormats.default(address)
  return ({ schema, httpPart }) => (httpPart === 'body' ? body : address).compile(schema)
}
