import type { Me } from '#contract/incidents/rules.ts'

interface State {
  readonly isActive: boolean
}

export const attachmentCan = {
  /** Whoever may change incidents, while it is active (operations §4, decisions §6). */
  add: (incident: State, me: Me): boolean => incident.isActive && me.role !== 'BUSINESS_USER',
  /**
   * Who added it, who declared the incident, or an administrator, while the incident is active: what others rely on does
   * not vanish by anybody's hand, and a resolved incident stays what it was (operations §4).
   */
  remove: (
    attachment: { readonly createdBy: string },
    me: Me,
    incident: State & { readonly createdBy: string },
  ): boolean =>
    incident.isActive &&
    me.role !== 'BUSINESS_USER' &&
    (me.role === 'ADMIN' || attachment.createdBy === me.email || incident.createdBy === me.email),
}
