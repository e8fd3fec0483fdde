import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'

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
