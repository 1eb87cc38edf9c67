import { VALID } from '#protocol/constants.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { EXPERIENCE_RATE } from '../../platform/http/rate-limits.ts'
import type { CountryLabels } from '../rules/country-labels.ts'
import type { Metrics } from '../rules/metrics.ts'
import type { Countries } from '../rules/ports.ts'

type ExperienceHttp = {
  countries: Countries
  labels: CountryLabels
  metrics: Pick<Metrics, 'experience'>
}

/** Counts what browsers measured. The country is that of the login session, which a browser cannot name in the report. */
export function experienceRoutes(endpoint: UserEndpoint, { countries, labels, metrics }: ExperienceHttp): void {
  endpoint(
    'addExperience',
    async ({ input, caller: { account, sessionId } }) => {
      metrics.experience(input, labels.labelOf(await countries.of(sessionId), account.id))
      return { message: VALID }
    },
    EXPERIENCE_RATE,
  )
}
