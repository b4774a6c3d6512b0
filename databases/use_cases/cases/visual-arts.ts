import type { UseCase } from '../use-case.ts';

export const visualArts: UseCase = {
  db: 'visual_arts',
  overview: 'museums of a country, what they show, and what they own',
  collections: [
    {
      name: 'Museums',
      items: 'museums',
      rows: 330,
      identifier: {
        name: 'museumName',
        title: 'museum name',
        parts: [
          'Castle, Harbour, Mill, Palace, Station, Abbey',
          'Gallery, Museum, Collection, Kunsthalle, Rooms, Archive',
        ],
      },
      text: {
        name: 'exhibitHighlights',
        title: 'exhibit highlights',
        facets: `
          Portraits of merchants. / A merchant's portrait.
          Armour and swords. / A knight's sword.
          Glass from Bohemia. / Coloured glasses.
          Photographs of workers. / A photographer's archive.
          Egyptian mummies. / The mummy of a priest.
          Costumes from the opera. / An opera costume.
          Sculptures in the garden. / A sculptor's garden.
          Clocks that still strike. / A clock with dancing figures.
          Maps of lost islands. / An island map.
          Toys and puppets. / A puppet theatre with toy animals.
          Impressionist landscapes. / A landscape with poplars.
          Video installations. / Videos in dark rooms.
          Carved altars. / An altar carving.
          Ship models. / A model of every ship.`,
      },
      kind: { name: 'owner', title: 'owner', values: 'state 6, city 8, foundation 4, private 3' },
      number: { name: 'entryFee', title: 'entry fee', mean: 9, spread: 8, digits: 0 },
      boolean: { name: 'openToday', title: 'open today', share: 0.6 },
      second: { name: 'hasCafe', title: 'cafe', share: 0.13 },
    },
    {
      name: 'Exhibitions',
      items: 'exhibitions',
      rows: 410,
      identifier: {
        name: 'exhibitionTitle',
        title: 'exhibition title',
        parts: [
          'Faces of, Dreams of, Traces of, Songs of, Against, Beyond',
          'Light, Stone, Paper, Silence, Summer, Iron',
        ],
      },
      text: {
        name: 'exhibitionDescription',
        title: 'exhibition description',
        facets: `
          Visitors may touch everything. / Touching is allowed for each visitor.
          Works by young artists. / An artist under thirty.
          Lent by twenty museums. / Loans from a museum abroad.
          Drawings never shown before. / A drawing that was lost.
          Sound and moving light. / Lights and sounds.
          Curated by schoolchildren. / A curator who is eight.
          Letters and diaries. / A painter's diary and a letter.
          About rivers and trade. / Traders on a river.
          Prints from woodblocks. / A woodblock printer.
          Women who painted. / A woman and her paintings.
          Textiles from the Andes. / A woven textile.
          Posters of protest. / Protesters and their poster.
          Robots that paint. / A painting robot.
          Portraits in wax. / A waxen portrait.`,
      },
      kind: { name: 'theme', title: 'theme', values: 'painting 8, photography 5, sculpture 4, design 3' },
      number: {
        name: 'averageVisitorCount',
        title: 'average visitor count',
        mean: 320,
        spread: 260,
        digits: -1,
      },
      boolean: { name: 'currentlyRunning', title: 'currently running', share: 0.45 },
      second: { name: 'isTouring', title: 'touring', share: 0.12 },
    },
    {
      name: 'ArtPieces',
      items: 'art pieces',
      rows: 500,
      identifier: {
        name: 'artPieceName',
        title: 'art piece name',
        parts: [
          'Girl with, Still Life with, Study of, Night with, Two, The',
          'Apples, Herons, Ladder, Mirror, Boats, Violin',
        ],
      },
      text: {
        name: 'artPieceHistory',
        title: 'art piece history',
        facets: `
          Stolen and returned. / A thief returned it.
          Painted over twice. / Another painting lies below.
          Restored after a fire. / A restorer removed soot from the fire.
          Bought at auction. / Auctioned in two parts.
          A gift of the artist. / Gifts to the town.
          Its frame is older. / Framed by a carver.
          Copied by many. / A copyist signed it.
          Found in an attic. / An attic find.
          Forged papers were with it. / Long taken for a forgery.
          Exhibited in Paris. / Shown at exhibitions in Paris.
          Belonged to a sailor. / A ship's captain and sailors owned it.
          Cut into three. / The cutting was a mistake.
          Signed on the back. / The signature is doubtful.
          Cleaned with bread. / Cleaning brought out the blue.`,
      },
      kind: { name: 'medium', title: 'medium', values: 'oil 8, watercolour 4, bronze 3, wood 3, ink 2' },
      number: {
        name: 'currentValuation',
        title: 'current valuation',
        mean: 42000,
        spread: 38000,
        digits: -3,
      },
      boolean: { name: 'onDisplay', title: 'on display', share: 0.4 },
      second: { name: 'onLoan', title: 'on loan', share: 0.11 },
    },
  ],
};
