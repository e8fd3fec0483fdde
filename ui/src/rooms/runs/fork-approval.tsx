import type { ReactNode } from 'react'
import { ForeignText, Section } from '../../components/index.ts'
import { DecideForm } from '../approvals/index.ts'
import type { Run } from './run.ts'

/** A run of a pull request from a fork may not begin before a member has looked at its commit. */
export function ForkApproval({ run }: { readonly run: Run }): ReactNode {
  const { run_id, team_path, commit_sha, hold } = run
  if (hold === null) return null
  return (
    <Section title="Pull request from a fork">
      <p>
        The code of pull request {hold.pull_request} comes from a fork
        {run.head_ref !== null && (
          <>
            , branch <ForeignText>{run.head_ref}</ForeignText>
          </>
        )}
        . Look at the commit before you let it run here: {commit_sha !== null && <code>{commit_sha}</code>}
      </p>
      <DecideForm
        request={{ run_id, step: 'fork', team_path, fields: [], commit_sha, refusal: null }}
        permission="run.approve"
      />
    </Section>
  )
}
