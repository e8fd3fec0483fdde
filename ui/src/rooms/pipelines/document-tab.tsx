import type { ReactNode } from 'react'
import { CopyButton, Section } from '../../components/index.ts'
import { DocumentWorkshop } from './editor/document-workshop.tsx'
import { useProblems } from './editor/use-problems.ts'
import type { Pipeline } from './pipeline.ts'

/** What a pipeline says, and its graph. */
export function DocumentTab({ pipeline }: { readonly pipeline: Pipeline }): ReactNode {
  const found = useProblems(pipeline.document, pipeline.team_path)
  return (
    <Section title="Document" actions={<CopyButton text={pipeline.document} label="Copy the document" />}>
      <DocumentWorkshop label={`Document of ${pipeline.identifier}`} text={pipeline.document} found={found} />
    </Section>
  )
}
