/** Code of refusals while the server cannot reach its database. Clients may retry. */
export const DATABASE_UNAVAILABLE = 'database_unavailable'
