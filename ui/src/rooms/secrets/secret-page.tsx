import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyAs, Facts, Instant, PageHeader, PageLink, Section } from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import type { Secret } from './secret.ts'
import { SecretActions } from './secret-actions.tsx'
import { SecretPipelines, SecretSources } from './secret-uses.tsx'
import { SecretVersions } from './secret-versions.tsx'

const page = getRouteApi('/shell/secrets/$id')

/** One stored secret: its versions and who uses it, never its value. */
export function SecretPage(): ReactNode {
  const secret = useQuery(page.useLoaderData())
  if (secret.data === undefined) {
    return <ObjectPending title="Secret" query={secret} />
  }
  return <LoadedSecret secret={secret.data} />
}

function LoadedSecret({ secret }: { readonly secret: Secret }): ReactNode {
  const navigate = useNavigate()
  const { team_path: team } = secret
  const path = `${team}/${secret.name}`
  return (
    <>
      <PageHeader
        title={secret.name}
        team={team}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/secrets" params={{ team }}>
            Secrets of {team}
          </PageLink>,
        ]}
        sentence="Who uses it, as far as you may see them. Its value goes in and never comes out."
        actions={
          <>
            <SecretActions
              secret={secret}
              variant="default"
              onDeleted={() => void navigate({ to: '/t/$team/secrets', params: { team } })}
            />
            <CopyAs path={`/v1/pipelines?secret=${path}`} command={['secret', 'uses', path]} />
          </>
        }
      />
      <Section title="What is known">
        <Facts
          facts={[
            ['Pipelines name it', path],
            ['Environments', secret.environments.join(', ') || 'all'],
            ['Versions', <SecretVersions key="versions" secret={secret} />],
            ['Last used', <Instant key="used" at={secret.last_used_at} form="full" />],
            ['Stored', <Instant key="stored" at={secret.updated_at} form="full" />],
          ]}
        />
      </Section>
      <Section title="Pipelines">
        <SecretPipelines path={path} />
      </Section>
      <Section title="Webhook sources">
        <SecretSources path={path} />
      </Section>
    </>
  )
}
