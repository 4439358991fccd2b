import { demandInternal } from '#server/incident-timeline/entries.flows.ts'

/** @throws Refusal 403 for external people, who see no figures */
export const demandReader = (by: Parameters<typeof demandInternal>[0]): void => demandInternal(by)
