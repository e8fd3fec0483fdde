import type { ReactNode } from 'react'
import { useMayDo } from '../../client/session.ts'
import { ForeignText, lackOf, Section } from '../../components/index.ts'
import { DecideForm } from '../approvals/index.ts'
import type { Run } from './run.ts'

/** A run of a pull request from a fork may not begin before a member has looked at its commit. */
export function ForkApproval({ run }: { readonly run: Run }): ReactNode {
  const mayDo = useMayDo()
  const { run_id, commit_sha, hold } = run
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
      {mayDo('run.approve', run.team_path) ? (
        <DecideForm request={{ run_id, step: 'fork', fields: [], commit_sha }} />
      ) : (
        <p>{lackOf('run.approve', run.team_path)}</p>
      )}
    </Section>
  )
}
