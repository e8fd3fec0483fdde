import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const Text = Type.Union([Type.String(), Type.Null()])

/** What the provider made of a manifest, between its answer and the app that is made of it. */
const Exchanged = Type.Object({
  appId: Type.String(),
  slug: Text,
  name: Text,
  htmlUrl: Text,
  account: Text,
  permissions: Type.Record(Type.String(), Type.String()),
  events: Type.Array(Type.String()),
  privateKey: Type.String(),
  webhookSecret: Text,
})
export type Exchanged = Static<typeof Exchanged>

export function writeExchanged(answer: Exchanged): string {
  return JSON.stringify(answer)
}

/** Undefined where the text is none of this version. */
export function readExchanged(text: string): Exchanged | undefined {
  const answer: unknown = JSON.parse(text)
  return Value.Check(Exchanged, answer) ? answer : undefined
}

/** The context of a sealed answer: moved to another registration it does not open. */
export function exchangeContext(stateSha256: Buffer): string {
  return `git-app-exchange:${stateSha256.toString('hex')}`
}
