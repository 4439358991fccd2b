/** Id of the place in the header where the call's button appears. */
export const CALL_PLACE = 'call'
