import type { UseCase } from '../use-case.ts';

export const courses: UseCase = {
  db: 'courses',
  overview: 'what an evening college teaches, who teaches it, and who learns',
  collections: [
    {
      name: 'Courses',
      items: 'courses',
      rows: 380,
      identifier: {
        name: 'courseTitle',
        title: 'course title',
        parts: [
          'Foundations of, Practical, Advanced, Applied, Modern, History of',
          'Statistics, Pottery, Astronomy, Cooking, Robotics, Poetry',
        ],
      },
      text: {
        name: 'courseDescription',
        title: 'course description',
        facets: `
          Projects take the place of exams. / One project, no examination. = assessment, coursework
          Students write essays every week. / An essay a week. = writing, compositions
          Excursions to museums. / Two excursions, one to a museum. = trips, outings
          No knowledge of mathematics is needed. / Mathematical basics are taught. = algebra, numbers
          Taught in small groups. / Group work in every lesson. = teamwork, seminar
          Reading of original texts. / Participants read originals. = literature, sources
          Laboratory hours on Saturdays. / Labs and a laboratory diary. = experiments, weekend
          Guests from industry lecture. / Lectures by industrial guests. = practitioners, companies
          Programming in Python. / Learn to program. = coding, software
          Ends with an exhibition. / Works are exhibited. = showcase, gallery
          Recordings can be watched later. / Every lesson is recorded. = videos, replay
          Debates about ethics. / Ethical questions are debated. = morality, philosophy
          Tools and clay are provided. / Bring your own tool. = equipment, materials
          Certificates for employers. / A certificate at the end. = diploma, qualification`,
      },
      kind: { name: 'level', title: 'level', values: 'beginner 8, intermediate 6, advanced 3, open 4' },
      number: { name: 'courseDuration', title: 'course duration', mean: 11, spread: 9, digits: 0 },
      boolean: { name: 'currentlyEnrolling', title: 'currently enrolling', share: 0.5 },
      second: { name: 'heldOnline', title: 'online teaching', share: 0.13 },
    },
    {
      name: 'Instructors',
      items: 'instructors',
      rows: 340,
      identifier: {
        name: 'instructorName',
        title: 'instructor name',
        parts: ['Ulla, Viktor, Wanda, Xenia, Yusuf, Zoe', 'Marin, Nowak, Olsen, Petrov, Quist, Rossi'],
      },
      text: {
        name: 'biography',
        title: 'biography',
        facets: `
          Worked as an engineer in shipyards. / An engineering career at sea. = mechanic, naval
          Publishes novels. / Author of a published novel. = writer, fiction
          Founded two companies. / Company founder. = entrepreneur, startup
          Plays in an orchestra. / An orchestral player. = musician, symphony
          Studied abroad for years. / Studies in four countries. = international, foreign
          Won a teaching award. / Two awards for teaching. = distinguished, honours
          Restores old furniture. / Furniture restorer by trade. = carpentry, antiques
          Advises the city government. / Adviser to a governor. = politics, consultant
          Climbs mountains in summer. / A mountain climber. = alpine, summits
          Translates from Arabic. / Translator of Arabic poetry. = linguist, verses
          Researches sleep in birds. / Bird researcher. = ornithology, nature
          Volunteers in a prison school. / A volunteer in schools. = charity, inmates
          Once a professional dancer. / Danced professionally. = ballet, stage
          Keeps bees on the roof. / Beekeeping is a passion. = honey, hives`,
      },
      kind: { name: 'department', title: 'department', values: 'arts 6, sciences 7, languages 4, crafts 5' },
      number: { name: 'yearsOfTeaching', title: 'years of teaching', mean: 12, spread: 11, digits: 0 },
      boolean: { name: 'tenured', title: 'tenured', share: 0.4 },
      second: { name: 'supervisesTheses', title: 'thesis supervision', share: 0.14 },
    },
    {
      name: 'Students',
      items: 'students',
      rows: 520,
      identifier: {
        name: 'studentName',
        title: 'student name',
        parts: ['Adam, Bruna, Chidi, Dora, Elif, Finn', 'Sand, Turner, Ueda, Vogel, Weiss, Young'],
      },
      text: {
        name: 'researchInterests',
        title: 'research interests',
        facets: `
          Renewable energy and storage. / Storing energy from wind. = batteries, turbines
          Machine learning for medicine. / Learning machines in hospitals. = algorithms, diagnosis
          Medieval manuscripts. / A manuscript collection. = parchment, palaeography
          Urban gardens and soil. / Gardening in cities. = horticulture, allotments
          Theatre for children. / Children's theatres. = drama, kids
          Ocean currents. / The oceans and climate. = marine, seas
          Ancient languages. / A language nobody speaks. = linguistics, dialects
          Ceramic glazes. / Glazing of ceramics. = pottery, porcelain
          Voting and fair elections. / Elected assemblies. = democracy, ballots
          Bridges and old stone. / Bridge building. = architecture, masonry
          Memory and forgetting. / How memories fade. = recollection, amnesia
          Satellite images. / Satellites and imaging. = orbit, space
          Migrating birds. / Bird migration. = ornithology, flight
          Music and the brain. / Musical brains. = melody, neurology`,
      },
      kind: { name: 'faculty', title: 'faculty', values: 'arts 5, engineering 7, medicine 4, law 3' },
      number: { name: 'completedCredits', title: 'completed credits', mean: 90, spread: 85, digits: -1 },
      boolean: { name: 'enrolledFullTime', title: 'enrolled full time', share: 0.64 },
      second: { name: 'hasScholarship', title: 'scholarship', share: 0.11 },
    },
  ],
};
