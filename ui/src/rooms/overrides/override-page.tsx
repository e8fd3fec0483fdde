import { Text } from '@mantine/core'
import { overrideRoutes, resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  ForeignText,
  FormDialog,
  Instant,
  PageHeader,
  PageLink,
  ProblemNotice,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { teamOfPipeline } from '../../components/pipeline-field.tsx'
import { EVERY_TEAM } from '../../shell/index.ts'
import { EditOverride } from './edit-override.tsx'
import { isOverride, type Override, stateOf } from './override.ts'
import { Resolution } from './resolution.tsx'

const page = getRouteApi('/shell/overrides/$owner/$name')

/** What decides about the events of one repository, and its override. */
export function OverridePage(): ReactNode {
  const { owner, name } = page.useParams()
  const asked = page.useSearch()
  const navigate = page.useNavigate()
  const repository = { repoOwner: owner, repoName: name }
  const document = useQuery(page.useLoaderData())
  const title = `${owner}/${name}`
  if (document.data === undefined) {
    return (
      <>
        <PageHeader title={title} />
        <ProblemNotice error={document.error} onRetry={() => void document.refetch()} />
      </>
    )
  }
  const { body, etag } = document.data
  const override = isOverride(body) ? body : undefined
  const team = override ? teamOfPipeline(override.pipeline) : EVERY_TEAM
  return (
    <>
      <PageHeader
        title={title}
        team={override && teamOfPipeline(override.pipeline)}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/overrides" params={{ team }}>
            Overrides
          </PageLink>,
        ]}
        badge={override && <State override={override} />}
        sentence={
          override
            ? (override.not_in_effect_because ?? `Its events start ${override.pipeline} alone.`)
            : 'It has no override that you may see: its manifest and the triggers decide.'
        }
        facts={override ? factsOf(override) : []}
        actions={
          <>
            {override && <DeleteOverride repository={repository} override={override} etag={etag} />}
            <CopyAs
              path={`/v1/overrides/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`}
              command={['override', 'show', title]}
            />
          </>
        }
      />
      <Resolution
        key={`${title} ${asked.ref ?? ''} ${asked.event ?? ''}`}
        repository={repository}
        asked={asked}
        onAsk={(search) => void navigate({ search })}
      />
      <EditOverride
        key={`${title} ${override === undefined}`}
        repository={repository}
        override={override}
        etag={etag}
      />
    </>
  )
}

function State({ override }: { readonly override: Override }): ReactNode {
  return (
    <>
      <StatusBadge status={stateOf(override)} />
      <Why of="it is not in effect">{override.not_in_effect_because}</Why>
    </>
  )
}

function factsOf({ expires_at, owner, reason, updated_at }: Override): readonly ReactNode[] {
  return [
    expires_at !== null && (
      <span key="expires">
        expires <Instant at={expires_at} />
      </span>
    ),
    <span key="owner">
      by <ForeignText>{owner.name}</ForeignText>
    </span>,
    <span key="written">
      written <Instant at={updated_at} />
    </span>,
    reason !== null && <ForeignText key="reason">{reason}</ForeignText>,
  ].filter((fact) => fact !== false)
}

interface DeleteOverrideProps {
  readonly repository: { readonly repoOwner: string; readonly repoName: string }
  readonly override: Override
  readonly etag: string | undefined
}

function DeleteOverride({ repository, override, etag }: DeleteOverrideProps): ReactNode {
  const [isDeleting, setDeleting] = useState(false)
  const remove = useWrite(overrideRoutes.deleteOverride, {
    changes: [overrideRoutes.getOverride, overrideRoutes.listOverrides, resolutionRoutes.resolveRepository],
    onDone: () => setDeleting(false),
  })
  return (
    <>
      <AllowedButton
        permission="override.write"
        at={teamOfPipeline(override.pipeline)}
        variant="default"
        onClick={() => setDeleting(true)}
      >
        Delete
      </AllowedButton>
      <FormDialog
        title="Delete the override?"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onSubmit={() => remove.mutate({ params: repository, ifMatch: etag })}
        action="Delete"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>The manifest of the repository and the triggers decide again. Runs that it started go on.</Text>
      </FormDialog>
    </>
  )
}
