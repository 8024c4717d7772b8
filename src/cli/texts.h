// Every sentence and word that the command line says, in English and Simplified Chinese, in one table.
//
// Names of options, metrics and identifiers are never translated.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "model/language.h"

namespace seedance {

enum class TextId : std::uint16_t {
  // Errors.
  kError, kHint, kUnknownCommand, kUnknownOption, kDidYouMean, kSeeHelp, kNeedsValue, kTooManyArguments, kMissingArgument, kNotOneOf,
  kNotANumber, kBadOptionUse, kServerOrStore, kParquetNeedsFile, kParquetNeedsFileHint, kParquetWholeRows, kParquetWholeRowsHint, kNoLedger,
  kNoLedgerHint, kEmptyLedger, kFileUnreadable, kFileUnwritable, kNoWorkload, kNoWorkloadHint, kServerSilent, kServerSilentHint,
  kServerAnswer, kNotOurServer, kNoNode, kNoNodeHint, kNeedsStore, kNeedsStoreHint, kOneWorkload, kTokenMissing, kTokenMissingHint, kBadZone, kNotALabel, kNotALabelHint,
  kNoStateFolder, kNoStateFolderHint,
  // Help.
  kUsage, kCommands, kOptions, kGlobalOptions, kExamples, kDefault, kMoreHelp, kAbout,
  kCostAbout, kWaterfallAbout, kTopAbout, kColdStartsAbout, kTelemetryAbout, kPricesAbout, kPricesListAbout, kPricesImportAbout, kPricesExplainAbout, kImportAbout,
  kImportTextAbout, kImportPrometheusAbout, kVersionAbout, kHelpAbout,
  kOptBy, kOptWindow, kOptStep, kOptIdle, kOptFormat, kOptOutput, kOptFilter, kOptNamespace, kOptWorkload, kOptSort, kOptState, kOptLimit, kOptProvider, kOptRegion,
  kOptType, kOptPrices, kOptFillWindow, kOptLabel, kOptPrometheusToken, kOptPrometheusCa, kOptRestart, kOptServer, kOptTokenFile, kOptCaFile, kOptStore, kOptConfig, kOptLang, kOptZone, kOptColor, kOptNoHeaders, kOptQuiet, kOptHelp,
  // Rests and notes of the cost table.
  kNotAllocated, kStranded, kUnattributed, kShared, kUnpriced, kNoValue, kMore, kTotal, kBooksClosed, kBooksOpen, kSemicolon, kTimeLeft, kBooksNotCompared,
  kSplitBy, kProvisional, kHidden, kDataStarts, kDataEnds, kNothingMatches, kNoBooks,
  // Headers.
  kHeadFrom, kHeadGpuHours, kHeadGpu, kHeadCpuMemory, kHeadCpu, kHeadMemory, kHeadStorage, kHeadNetwork, kHeadShared, kHeadTotal, kHeadChange,
  kHeadWasted, kHeadUndetermined, kHeadActive, kHeadGpuMeasured, kHeadCurrency, kHeadModel, kHeadHeldBy, kHeadPerHour, kHeadWastedPerHour, kHeadCause, kHeadAge, kHeadSm, kHeadTensor, kHeadGpuMemory,
 
  kHeadEvidence, kHeadProvider, kHeadRegion, kHeadType, kHeadKind, kHeadPrice, kHeadSince, kHeadSource, kHeadMethod, kHeadPerCore, kHeadPerGib,
  kHeadPerGpu, kHeadStarts, kHeadImagePull, kHeadContainerStart, kHeadReadiness, kHeadFirstWork, kHeadColdCost, kHeadColdPerMonth, kColdStartNote, kUndetermined, kHeadOwner,
  // Telemetry.
  kHeadSender, kHeadState, kHeadSchema, kHeadDeviceIds, kHeadErrors, kHeadUnparsed, kHeadWithoutId, kHeadApart, kHeadAhead, kHeadBehind, kHeadCallsItself,
  kGood, kDegraded, kFull, kLight, kOwn, kFallback, kTelemetryNote, kTelemetryMore, kTelemetryFine, kTelemetryNobody, kUntilNow,
  // Dimensions and identities, in the order of GroupKey.
  kKeyCluster, kKeyNode, kKeyNamespace, kKeyWorkload, kKeyPod, kKeyPodUid, kKeyContainer, kKeyGpu, kKeyGpuIndex, kKeyGpuModel, kKeyInstanceType,
  kKeyCapacityKind, kKeySince, kKeyReason, kKeyTenant, kKeyTeam, kKeyTaskType, kKeyDataSource, kKeySla, kKeyEnvironment, kKeyDomain, kKeyBusinessUnit,
  // Waterfall, in the order of WaterfallBar behind the first.
  kBilled, kBarNotAllocated, kBarStranded, kBarUnattributed, kBarHeld, kBarData, kBarCommunication, kBarOtherIdle, kBarInefficient,
  kBarUndetermined, kBarProductive, kUndeterminedIs,
  // Top.
  kFree, kStrandedBy, kLackCpu, kLackMemory, kLackBoth, kLackOther, kUnknownGpu, kEvidenceGood, kEvidencePartial, kEvidenceNone, kLeftOut,
  // Prices.
  kPriceOf, kPriceFrom, kPriceUnknown, kPricesKept, kPricesRefused, kPriceShape,
  // Import.
  kImporting, kSamplesSoFar, kImported, kImportedRefused, kHoursWritten, kImportNext, kLabelsAdded, kLabelsUnknown, kGoingOn, kTooOldForServer,
  kCount,
};

std::string_view text(TextId id, Language language);

// The text with each "{}" replaced by the next part.
std::string filled(TextId id, Language language, std::initializer_list<std::string_view> parts);

constexpr TextId text_after(TextId first, std::size_t steps) {
  return static_cast<TextId>(static_cast<std::size_t>(first) + steps);
}

}  // namespace seedance
