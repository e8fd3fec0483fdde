import type { Event } from './event.ts'
import { completeEvent, type PostedEvent } from './posted-event.ts'

/** A push of one commit to `main` of acme/widgets; override what the test is about. */
export function anEvent(overrides: Partial<PostedEvent> = {}): Event {
  return completeEvent({
    kind: 'push',
    action: 'updated',
    provider: 'github',
    repository: {
      id: '1',
      full_name: 'acme/widgets',
      clone_url: 'https://github.com/acme/widgets.git',
      web_url: 'https://github.com/acme/widgets',
      default_branch: 'main',
      private: true,
    },
    ref: 'refs/heads/main',
    branch: 'main',
    before: 'a'.repeat(40),
    after: 'b'.repeat(40),
    forced: false,
    changed_paths: ['src/index.ts'],
    changed_paths_complete: true,
    ...overrides,
  })
}
