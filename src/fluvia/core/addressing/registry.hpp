// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/addressing/connectivity_matrix.hpp"
#include "fluvia/core/addressing/fluid_index_array.hpp"
#include "fluvia/core/addressing/full_box.hpp"
#include "fluvia/core/addressing/half_box.hpp"
#include "fluvia/core/addressing/indexed_places.hpp"
#include "fluvia/core/addressing/tiles.hpp"
