import type { ReactNode } from 'react'
import { lazyPart } from '../../../components/lazy-part.tsx'
import { Section } from '../../../components/section.tsx'
import type { Run } from '../run.ts'
import { Told } from './told.tsx'

const GivenCommands = /* @__PURE__ */ lazyPart(async () => (await import('./given-commands.tsx')).GivenCommands, {
  waiting: null,
})

/** What the run has to do with the Git provider: what was asked there, and what was told. */
export function AtProvider({ run }: { readonly run: Run }): ReactNode {
  return (
    <>
      {run.pull_request !== null && <GivenCommands run={run} />}
      <Section title="Told to the provider">
        <Told run={run} />
      </Section>
    </>
  )
}
