import { useQuery } from '@tanstack/react-query'

import { playbooksApi } from '#contract/playbooks/api.ts'
import type { OpenedPlaybook, PlaybookContent } from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'

import { contentOf } from './editorValues.ts'

/** A playbook at the editor's opening and now; `before` is undefined while an old version loads. */
export function useChangesSince(
  opened: OpenedPlaybook | undefined,
  version: number | null,
  current: OpenedPlaybook | undefined,
): { readonly before: PlaybookContent | undefined; readonly after: PlaybookContent | undefined } {
  // A draft of an earlier visit may be based on a version that this visit never opened.
  const known = opened?.version === version ? contentOf(opened) : undefined
  const id = current?.id ?? ''
  const { data } = useQuery({
    queryKey: ['playbooks', id, 'version', version],
    queryFn: ({ signal }) => call(playbooksApi.version, { params: { id, version: version ?? 0 }, signal }),
    staleTime: Infinity,
    enabled: known === undefined && current !== undefined && version !== null && current.version > version,
  })
  return { before: known ?? data?.content, after: current && contentOf(current) }
}
