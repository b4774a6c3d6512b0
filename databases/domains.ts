import { generateAirlineMaintenance } from './airline_maintenance/generate.ts';
import { generateBakeryChain } from './bakery_chain/generate.ts';
import { generateCharityDonors } from './charity_donors/generate.ts';
import { generateCityLibrary } from './city_library/generate.ts';
import { generateCityPermits } from './city_permits/generate.ts';
import { generateContainerPort } from './container_port/generate.ts';
import { generateCourtRegistry } from './court_registry/generate.ts';
import { generateEnergyCoop } from './energy_coop/generate.ts';
import { generateFarmCoop } from './farm_coop/generate.ts';
import { generateFilmArchive } from './film_archive/generate.ts';
import { generateFoodBank } from './food_bank/generate.ts';
import { generateFootballLeague } from './football_league/generate.ts';
import { generateForestService } from './forest_service/generate.ts';
import { generateHospitalLab } from './hospital_lab/generate.ts';
import { generateInsurerClaims } from './insurer_claims/generate.ts';
import { generateMarketplace } from './marketplace/generate.ts';
import { generateMuseumLoans } from './museum_loans/generate.ts';
import { generateObservatory } from './observatory/generate.ts';
import { generateOrchestra } from './orchestra/generate.ts';
import { generatePayroll } from './payroll/generate.ts';
import { generateRailwayTimetable } from './railway_timetable/generate.ts';
import { generateRiverFreight } from './river_freight/generate.ts';
import type { Source } from './source.ts';
import { generateTelecomTickets } from './telecom_tickets/generate.ts';
import { generateUniversityGrants } from './university_grants/generate.ts';
import { generateVetClinics } from './vet_clinics/generate.ts';
import type { TableRows } from './write-database.ts';

/** A domain's rows, grown from its text sources. */
export type Generator = (source: Source) => TableRows[];

/** The domains of the bundled split, in the order of their questions; each has a folder of this name with its sources. */
export const DOMAINS = {
  energy_coop: generateEnergyCoop,
  river_freight: generateRiverFreight,
  vet_clinics: generateVetClinics,
  airline_maintenance: generateAirlineMaintenance,
  bakery_chain: generateBakeryChain,
  charity_donors: generateCharityDonors,
  city_library: generateCityLibrary,
  city_permits: generateCityPermits,
  container_port: generateContainerPort,
  court_registry: generateCourtRegistry,
  farm_coop: generateFarmCoop,
  film_archive: generateFilmArchive,
  food_bank: generateFoodBank,
  football_league: generateFootballLeague,
  forest_service: generateForestService,
  hospital_lab: generateHospitalLab,
  insurer_claims: generateInsurerClaims,
  marketplace: generateMarketplace,
  museum_loans: generateMuseumLoans,
  observatory: generateObservatory,
  orchestra: generateOrchestra,
  payroll: generatePayroll,
  railway_timetable: generateRailwayTimetable,
  telecom_tickets: generateTelecomTickets,
  university_grants: generateUniversityGrants,
} as const satisfies Readonly<Record<string, Generator>>;

export type DomainName = keyof typeof DOMAINS;

export const DOMAIN_NAMES = Object.keys(DOMAINS) as DomainName[];

/** The three that tests and measurements use: soon built, and between them of every construct and every awkwardness. */
export const SMALL_DOMAINS: readonly DomainName[] = ['energy_coop', 'river_freight', 'vet_clinics'];
