/** The domains of the bundled split, in the order of their questions; each has a data folder of this name. */
export const DOMAIN_NAMES = [
  'energy_coop',
  'river_freight',
  'vet_clinics',
  'airline_maintenance',
  'bakery_chain',
  'charity_donors',
  'city_library',
  'city_permits',
  'container_port',
  'court_registry',
  'farm_coop',
  'film_archive',
  'food_bank',
  'football_league',
  'forest_service',
  'hospital_lab',
  'insurer_claims',
  'marketplace',
  'museum_loans',
  'observatory',
  'orchestra',
  'payroll',
  'railway_timetable',
  'telecom_tickets',
  'university_grants',
] as const;

export type DomainName = (typeof DOMAIN_NAMES)[number];

/** Used by tests and measurements: quick to build, and they cover every construct and irregularity. */
export const SMALL_DOMAINS: readonly DomainName[] = ['energy_coop', 'river_freight', 'vet_clinics'];

/** DBGorilla's five use cases, in the paper's order: a split of their own, in `use_cases/`. */
export const USE_CASES = [
  'restaurants',
  'health_clinics',
  'courses',
  'travel_planning',
  'visual_arts',
] as const;

/** Part of every bundled question, so that they can be found in and removed from training data. */
export const CANARY = 'rookery-canary-3c74bf53-079c-4d66-8afd-f4d1e4060507';
