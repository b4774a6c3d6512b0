import { courses } from './courses.ts';
import { healthClinics } from './health-clinics.ts';
import { restaurants } from './restaurants.ts';
import { travelPlanning } from './travel-planning.ts';
import { visualArts } from './visual-arts.ts';

/** The paper's five use cases, in its order. */
export const USE_CASES = [restaurants, healthClinics, courses, travelPlanning, visualArts] as const;
