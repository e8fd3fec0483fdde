import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton, Section } from '../../components/index.ts'
import type { Pipeline } from './pipeline.ts'

/** What a pipeline says. */
export function DocumentTab({ pipeline }: { readonly pipeline: Pipeline }): ReactNode {
  return (
    <Section title="Document" actions={<CopyButton text={pipeline.document} label="Copy the document" />}>
      <Code block tabIndex={0}>
        {pipeline.document}
      </Code>
    </Section>
  )
}
