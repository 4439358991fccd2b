import { useQuery } from '@tanstack/react-query'

import { groupsApi } from '#contract/groups/api.ts'
import { notificationTemplatesApi } from '#contract/notification-templates/api.ts'
import type { PlaybookStart } from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'
import { useCan } from '#providers/useCan.ts'

/** Groups to choose from; undefined without the permission. */
export function useGroupOptions(enabled = true) {
  const can = useCan()
  return useQuery({
    queryKey: ['groups', 'options'],
    queryFn: ({ signal }) => call(groupsApi.options, { query: { withMembers: 'false' }, signal }),
    staleTime: 60_000,
    enabled: enabled && can(groupsApi.options.access),
  })
}
/** Notification templates to choose from; undefined without the permission. */
export function useTemplateOptions(enabled = true) {
  const can = useCan()
  return useQuery({
    queryKey: ['notification-templates', 'options'],
    queryFn: ({ signal }) => call(notificationTemplatesApi.list, { signal }),
    enabled: enabled && can(notificationTemplatesApi.list.access),
  })
}
/** Names of the groups and of the template that a start refers to, as far as the person may read them. */
export function useStartNames({ groupIds, notificationTemplateId }: PlaybookStart) {
  const { data: groups = [] } = useGroupOptions(groupIds.length > 0)
  const { data: templates = [] } = useTemplateOptions(notificationTemplateId !== null)
  return {
    groups: new Map(groups.map(({ id, name }) => [id, name])),
    templates: new Map(templates.map(({ id, title }) => [id, title])),
  }
}
